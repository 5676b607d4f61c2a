// @ts-check
/** Plays the sound of a challenge, in the waiting room and at an open table. */

const isSoundOn = () => document.documentElement.dataset.sound !== "off";
const loadSounds = () => import("./sound.js");

// Some browsers let audio start only in a user gesture, and a challenge arrives while the player is elsewhere. So the
// first gesture on the page starts the audio context.
for (const name of ["pointerdown", "keydown"]) {
  document.addEventListener(name, async () => isSoundOn() && (await loadSounds()).ready(), { once: true });
}

document.addEventListener("sound:call", async () => {
  if (isSoundOn() && navigator.userActivation?.hasBeenActive !== false) (await loadSounds()).call();
});
