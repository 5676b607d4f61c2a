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

/** A soft tick, like a pen set down on paper. */
export async function tick() {
  const audio = context();
  const due = performance.now();
  // A new context runs after a moment, or when it is let. What could not be heard in its time is not made up for later.
  if (audio.state !== "running") await audio.resume();
  if (performance.now() - due > 500) return;
  const [now, tone, loudness] = [audio.currentTime, audio.createOscillator(), audio.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(880, now);
  tone.frequency.exponentialRampToValueAtTime(330, now + 0.05);
  loudness.gain.setValueAtTime(0.0001, now);
  loudness.gain.exponentialRampToValueAtTime(0.12, now + 0.004);
  loudness.gain.exponentialRampToValueAtTime(0.0001, now + 0.07);
  tone.connect(loudness).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.08);
}
