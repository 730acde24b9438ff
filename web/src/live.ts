// Words for screen readers: what is set here is spoken once, politely.
import { effect, signal } from '@preact/signals';
import { entry } from './board/MainBoard';
import { current, game } from './game/store';
import { turnSentence } from './names';
import { result } from './play/state';
import { other } from './protocol';

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
    // The same words twice are spoken twice only if the text changes.
    spoken.value = spoken.peek() === text ? `${text}\u00a0` : text;
  }, JOIN);
}

/** Announces turns, half-turns and the end of the game. */
export function startAnnouncements(): void {
  effect(() => {
    const node = current.value;
    const side = node.parent?.toMove;
    if (node.turn && side) say(turnSentence(node.turn, side, game.peek().family));
  });
  effect(() => {
    const path = entry.path.value;
    if (path.length === 0) return;
    const { size } = entry.choices.peek().next;
    const what = path.length > 1 && game.peek().family !== 'damone' ? 'to fire at' : 'to go to';
    say(`${path.at(-1)} chosen, ${size} ${size === 1 ? 'square' : 'squares'} ${what}.`);
  });
  effect(() => {
    const end = result.value;
    const node = current.peek();
    if (!end) return;
    const last =
      node.turn && node.toMove ? `${turnSentence(node.turn, other(node.toMove), game.peek().family)}. ` : '';
    say(`${last}${end.title}. ${end.reason}`);
  });
}
