// Another game onto the board, and the way back: the game that it replaces is kept in the browser until the next one.
import { signal } from '@preact/signals';
import { begin, type Match, match } from '../game/store';
import { type GameNode, lastOf, restore, type SavedTree, save } from '../game/tree';
import { load, store } from '../storage';

interface Kept {
  tree: SavedTree;
  setup: Match['setup'];
  ending: Match['ending'];
}

const KEY = 'game.before';

function loadBefore(): Match | null {
  return load<Match>(KEY, (value) => {
    const { tree: saved, setup, ending } = value as Kept;
    const tree = restore(saved);
    return { tree, setup, ending, tip: lastOf(tree.root) };
  });
}

/** Is there a game to go back to? */
export const before = signal<Match | null>(loadBefore());

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
    const { tree, setup, ending } = now;
    store(KEY, { tree: save(tree), setup, ending } satisfies Kept);
    before.value = now;
  }
  begin(next, at ?? next.tip);
}

export function bringBack(): void {
  const kept = before.peek();
  if (kept) replaceGame(kept);
}
