import type { Verdict } from '../core/types.js';
import { preferences } from './preferences.js';

/** One tone: hertz, seconds, and the wave, which makes it soft or harsh. */
interface Tone {
  readonly hertz: number;
  readonly seconds: number;
  readonly wave: OscillatorType;
}

const asking: readonly Tone[] = [
  { hertz: 620, seconds: 0.14, wave: 'triangle' },
  { hertz: 0, seconds: 0.06, wave: 'triangle' },
  { hertz: 620, seconds: 0.14, wave: 'triangle' },
];

/** Rising for in, falling for out, two equal ones to ask, one low and long to stop: told apart without seeing the screen. */
export const toneTable: Readonly<Record<Verdict, readonly Tone[]>> = {
  go: [
    { hertz: 880, seconds: 0.09, wave: 'sine' },
    { hertz: 1320, seconds: 0.16, wave: 'sine' },
  ],
  out: [
    { hertz: 1320, seconds: 0.09, wave: 'sine' },
    { hertz: 880, seconds: 0.16, wave: 'sine' },
  ],
  ask: asking,
  member: asking,
  stop: [{ hertz: 196, seconds: 0.55, wave: 'square' }],
  just: [{ hertz: 700, seconds: 0.07, wave: 'sine' }],
};

/** Milliseconds of vibration, pause, vibration … */
export const vibrations: Readonly<Record<Verdict, readonly number[]>> = {
  go: [70],
  out: [70],
  ask: [90, 70, 90],
  member: [90, 70, 90],
  stop: [320, 90, 320],
  just: [30],
};

let context: AudioContext | undefined;

/**
 * Prepares sound. Browsers allow it only during a tap. `playback`: iPhones then play tones with the mute switch on, too.
 */
export function unlockSound(): void {
  try {
    const { audioSession } = navigator as { audioSession?: { type: string } };
    if (audioSession) audioSession.type = 'playback';
    context ??= new AudioContext();
    if (context.state !== 'running') void context.resume();
  } catch {
    // Without sound, colour and vibration remain.
  }
}

/** Tone and vibration of a verdict. */
export function announce(verdict: Verdict): void {
  // Not every phone vibrates.
  (navigator as { vibrate?: (pattern: number[]) => boolean }).vibrate?.([...vibrations[verdict]]);
  if (!preferences.value.sound || context?.state !== 'running') return;
  let at = context.currentTime;
  for (const { hertz, seconds, wave } of toneTable[verdict]) {
    if (hertz > 0) play(context, hertz, wave, at, seconds);
    at += seconds;
  }
}

function play(audio: AudioContext, hertz: number, wave: OscillatorType, at: number, seconds: number): void {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.type = wave;
  oscillator.frequency.value = hertz;
  // Without these slopes the loudspeaker clicks.
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.9, at + 0.01);
  gain.gain.setValueAtTime(0.9, at + seconds - 0.02);
  gain.gain.linearRampToValueAtTime(0, at + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + seconds);
}
