// Short sounds, made by the browser itself so that nothing is loaded. Off until somebody turns them on.

import type { TurnInfo } from '../protocol';
import { settings } from '../settings';
import { isCapture } from '../turns';

export type Sound = 'move' | 'shot' | 'capture' | 'end';

/** Frequency in Hz, beginning and length in seconds. */
type Note = [frequency: number, begin: number, length: number];

const NOTES: Record<Sound, readonly Note[]> = {
  move: [[220, 0, 0.07]],
  shot: [
    [220, 0, 0.07],
    [520, 0.13, 0.09],
  ],
  capture: [
    [220, 0, 0.07],
    [165, 0.1, 0.1],
  ],
  end: [
    [330, 0, 0.14],
    [415, 0.15, 0.14],
    [494, 0.3, 0.3],
  ],
};
/** At full volume. */
const LOUDNESS = 0.24;

let context: AudioContext | null = null;

export function soundOf(turn: TurnInfo): Sound {
  if (turn.fire !== undefined) return 'shot';
  return isCapture(turn) ? 'capture' : 'move';
}

export function playSound(sound: Sound): void {
  const { sound: isOn, volume } = settings.peek();
  if (!isOn || volume === 0 || typeof AudioContext === 'undefined') return;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
    for (const note of NOTES[sound]) tone(context, note);
  } catch (error) {
    console.warn('no sound', error);
  }
}

/** A soft knock: loud at once, and gone soon. */
function tone(audio: AudioContext, [frequency, begin, length]: Note): void {
  const start = audio.currentTime + begin;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.setValueAtTime(frequency, start);
  gain.gain.setValueAtTime(LOUDNESS * settings.peek().volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}
