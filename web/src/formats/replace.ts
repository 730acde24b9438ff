// Another game onto the board, and the way back: the game that it replaces is kept in the browser until the next one.
import { signal } from '@preact/signals';
import { begin, type Match, match, readMatch, saveMatch } from '../game/store';
import type { GameNode } from '../game/tree';
import { keepGame } from '../history/games';
import { load, store } from '../storage';

const KEY = 'game.before';

/** Is there a game to go back to? */
export const before = signal<Match | null>(load(KEY, readMatch));

function isWorthKeeping({ tree }: Match): boolean {
  return tree.root.children.length > 0 || tree.start !== null;
}

/** Turns were played, and nobody has won yet. */
export function unfinished({ tree, ending, tip }: Match): boolean {
  return tree.root.children.length > 0 && ending === null && tip.outcome === null;
}

export function replaceGame(next: Match, at?: GameNode): void {
  const now = match.peek();
  if (isWorthKeeping(now)) {
    keepGame(now);
    store(KEY, saveMatch(now));
    before.value = now;
  }
  begin(next, at ?? next.tip);
}

export function bringBack(): void {
  const kept = before.peek();
  if (kept) replaceGame(kept);
}
