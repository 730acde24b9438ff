// Soft sounds made on the spot: off unless asked for.
import { effect } from '@preact/signals';
import { settings } from './game/settings';
import { current, match } from './game/store';
import { fires } from './turns';

let context: AudioContext | null = null;

function tone(frequency: number, at: number, length: number, loud: number): void {
  context ??= new AudioContext();
  const begin = context.currentTime + at;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.setValueAtTime(frequency, begin);
  oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.7, begin + length);
  gain.gain.setValueAtTime(loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + length);
}

export function startSound(): void {
  let before = current.peek();
  effect(() => {
    const node = current.value;
    const played = node.parent === before && node === match.peek().tip;
    before = node;
    if (!played || !settings.peek().sound) return;
    tone(220, 0, 0.12, 0.2);
    if (fires(node.turn)) tone(330, 0.12, 0.1, 0.12);
  });
}
