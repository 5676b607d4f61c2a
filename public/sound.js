/** Sounds, made on the spot: what is this short needs no file. */

let audio;

/** The one context of the page. Some browsers start it only in a touch or a press, so it also waits for the next one. */
function context() {
  if (!audio) {
    audio = new AudioContext();
    for (const name of ["pointerdown", "keydown"]) {
      document.addEventListener(name, () => audio.state === "suspended" && audio.resume());
    }
  }
  return audio;
}

/** Lets the context begin, in a touch or a press. */
export function ready() {
  if (context().state === "suspended") audio.resume();
}

/** A soft tick, like a pen set down on paper. */
export const tick = () => play({ from: 880, to: 330, loud: 0.12, seconds: 0.07 });

/** A knock at the door: two low beats. */
export async function call() {
  const knock = { from: 520, to: 260, loud: 0.3, seconds: 0.16 };
  await Promise.all([play(knock), play({ ...knock, after: 0.22 })]);
}

/** Time runs low: three short pips. */
export async function low() {
  const pip = { from: 1200, to: 1100, loud: 0.15, seconds: 0.06 };
  await Promise.all([0, 0.15, 0.3].map((after) => play({ ...pip, after })));
}

/** One beat: a tone that falls and dies away. */
async function play({ from, to, loud, seconds, after = 0 }) {
  const audio = context();
  const due = performance.now();
  // A new context runs after a moment, or when it is let. What could not be heard in its time is not made up for later.
  if (audio.state !== "running") await audio.resume();
  if (performance.now() - due > 500) return;
  const [start, tone, loudness] = [audio.currentTime + after, audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(from, start);
  tone.frequency.exponentialRampToValueAtTime(to, start + seconds * 0.7);
  loudness.gain.setValueAtTime(0.0001, start);
  loudness.gain.exponentialRampToValueAtTime(loud, start + 0.004);
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  tone.connect(loudness).connect(audio.destination);
  tone.start(start);
  tone.stop(start + seconds + 0.01);
}
