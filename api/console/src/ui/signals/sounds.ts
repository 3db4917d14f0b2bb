// Three sounds, made by the browser without a file: a coin, a bell, a stamp.
import type { Sound } from "./signals";

let context: AudioContext | undefined;
/** True while a sound waits for the first touch: later ones are left out. */
let isWaiting = false;

/** Play a sound. A browser that waits for a touch before any sound gets it with the next touch or key. */
export function play(sound: Sound): void {
  context ??= new AudioContext();
  const audio = context;
  if (audio.state === "running") return SOUNDS[sound](audio);
  if (isWaiting) return;
  isWaiting = true;
  void audio.resume().then(() => {
    isWaiting = false;
    SOUNDS[sound](audio);
  });
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => void audio.resume(), { once: true });
}

/** One tone: frequency in Hz, begin and length in seconds from now, loudness up to 1. */
function tone(audio: AudioContext, type: OscillatorType, frequency: number, begin: number, length: number, loudness: number): void {
  const [voice, gain, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + begin];
  voice.type = type;
  voice.frequency.value = frequency;
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  voice.connect(gain).connect(audio.destination);
  voice.start(at);
  voice.stop(at + length);
}

const SOUNDS: Record<Sound, (audio: AudioContext) => void> = {
  coin: (audio) => {
    tone(audio, "triangle", 1319, 0, 0.09, 0.2);
    tone(audio, "triangle", 1976, 0.08, 0.35, 0.2);
  },
  // The second and third part of a bell are no whole multiples of the first.
  bell: (audio) => [880, 2429, 4752].forEach((frequency, part) => tone(audio, "sine", frequency, 0, 1.2 / (part + 1), 0.25 / (part + 1))),
  stamp: (audio) => {
    tone(audio, "sine", 95, 0, 0.16, 0.6);
    tone(audio, "square", 60, 0, 0.05, 0.3);
  },
};
