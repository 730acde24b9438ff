// Words for screen readers: what is set here is spoken once, politely.
import { signal } from '@preact/signals';

export const spoken = signal('');

/** Milliseconds during which sentences are joined: a region that changes at once again loses what it said before. */
const JOIN = 150;
let waiting: string[] = [];

export function say(words: string): void {
  if (!words) return;
  waiting.push(words);
  if (waiting.length > 1) return;
  setTimeout(() => {
    const text = waiting.join(' ');
    waiting = [];
    // Words that are repeated are spoken again only if the text changes.
    spoken.value = spoken.peek() === text ? `${text}\u00a0` : text;
  }, JOIN);
}
