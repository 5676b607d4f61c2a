/** The sound of a challenge, in the waiting room. */

const wanted = () => document.documentElement.dataset.sound !== "off";
const sounds = () => import("./sound.js");

// Some browsers let sound begin only in a touch or a press, and a challenge comes while somebody is elsewhere. So the
// first touch gets it ready.
for (const name of ["pointerdown", "keydown"]) {
  document.addEventListener(name, async () => wanted() && (await sounds()).ready(), { once: true });
}

document.addEventListener("sound:call", async () => {
  if (wanted() && navigator.userActivation?.hasBeenActive !== false) (await sounds()).call();
});
