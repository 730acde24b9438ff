// Words for screen readers: what is set here is spoken once, politely.
import { signal } from '@preact/signals';

export const spoken = signal('');

export function say(words: string): void {
  // The same words twice are spoken twice only if the text changes.
  spoken.value = spoken.peek() === words ? `${words}\u00a0` : words;
}
