// @ts-check
/** Sounds, synthesized with Web Audio: they are too short to need files. */

/** A sound that is later than this is dropped. */
const MAX_DELAY_MS = 500;

/** @type {AudioContext | undefined} */
let audioContext;

/**
 * The page's only audio context. Some browsers start it only in a user gesture, so each later gesture tries to resume it.
 */
function context() {
  if (!audioContext) {
    const created = new AudioContext();
    for (const name of ["pointerdown", "keydown"]) {
      document.addEventListener(name, () => created.state === "suspended" && created.resume());
    }
    audioContext = created;
  }
  return audioContext;
}

/** Starts the audio context; to be called in a user gesture. */
export function ready() {
  const audio = context();
  if (audio.state === "suspended") audio.resume();
}

/** A move: a soft tick. */
export const tick = () => play({ from: 880, to: 330, volume: 0.12, seconds: 0.07 });

/** A challenge: two low knocks. */
export async function call() {
  const knock = { from: 520, to: 260, volume: 0.3, seconds: 0.16 };
  await Promise.all([play(knock), play({ ...knock, after: 0.22 })]);
}

/** The clock runs low: three short beeps. */
export async function low() {
  const beep = { from: 1200, to: 1100, volume: 0.15, seconds: 0.06 };
  await Promise.all([0, 0.15, 0.3].map((after) => play({ ...beep, after })));
}

/**
 * Plays one tone whose pitch falls and whose volume decays. Frequencies are in hertz, times in seconds.
 *
 * @param {{ from: number, to: number, volume: number, seconds: number, after?: number }} tone
 */
async function play({ from, to, volume, seconds, after = 0 }) {
  const audio = context();
  const requestedAt = performance.now();
  // A new context starts after a moment, or in the next user gesture. A sound that is late by then is dropped.
  if (audio.state !== "running") await audio.resume();
  if (performance.now() - requestedAt > MAX_DELAY_MS) return;
  const [start, oscillator, gain] = [audio.currentTime + after, audio.createOscillator(), audio.createGain()];
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, start + seconds * 0.7);
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(volume, start + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds + 0.01);
}
