// What people can do in a game besides playing turns.
import { bottom, current, drop, go, match, paused, revision, touch } from '../game/store';
import { lastOf } from '../game/tree';
import { other, type Side } from '../protocol';
import { enginePlays, result, toPlay, withPeople } from './state';

export function flip(): void {
  bottom.value = other(bottom.peek());
}

/** Takes back the last turn; against the engine, back to where the person is to play. */
export function takeBack(): void {
  const now = match.peek();
  if (!now.tip.parent) return;
  now.ending = null;
  const { players } = now.setup;
  const engines = players.white.kind === 'engine' && players.black.kind === 'engine';
  let node = now.tip;
  do {
    if (!node.parent) break;
    node = node.parent;
  } while (!engines && node.parent && node.toMove && players[node.toMove].kind === 'engine');
  // The engine would play the first turn of the game again at once; that is no harm.
  const taken = node.children.find((child) => lastOf(child) === now.tip || containsTip(child.id));
  go(node);
  if (taken) drop(taken);
  now.tip = node;
  if (engines) paused.value = true;
  touch();
}

function containsTip(id: number): boolean {
  for (let at: typeof current.value | null = match.peek().tip; at; at = at.parent)
    if (at.id === id) return true;
  return false;
}

/** The side that resigns: the person's, or with two people the one to play. */
export function resigns(): Side | null {
  revision.value;
  const { players } = match.value.setup;
  if (result.value || !withPeople.value) return null;
  if (players.white.kind === 'engine') return 'black';
  if (players.black.kind === 'engine') return 'white';
  return toPlay.value;
}

export function resign(): void {
  const side = resigns();
  if (!side) return;
  match.peek().ending = { winner: other(side), reason: 'resigned' };
  touch();
}

export function canPause(): boolean {
  return !result.value && (enginePlays.value || !withPeople.value || match.value.setup.control !== null);
}

export function step(by: number): void {
  const at = current.peek();
  const node = by < 0 ? at.parent : at.children[0];
  if (node) go(node);
}

export function toStart(): void {
  go(match.peek().tree.root);
}

export function toEnd(): void {
  go(lastOf(current.peek()));
}
