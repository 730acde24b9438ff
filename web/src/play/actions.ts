// Actions of people in a game besides playing turns. Buttons, keys and the text mode all call them here.

import { effect, signal } from '@preact/signals';
import { turnArrow } from '../analysis/arrows';
import { boardArrows } from '../board/layers';
import { NothingFound } from '../errors';
import { replaceGame } from '../formats/replace';
import {
  bottom,
  current,
  drop,
  go,
  isGoingOn,
  isRecord,
  match,
  newMatch,
  paused,
  positionOf,
  problem,
  type Setup,
  tab,
  touch,
} from '../game/store';
import { type GameNode, line, moverAt } from '../game/tree';
import { evened } from '../history/rating';
import { session } from '../host';
import type { Search } from '../host/session';
import { type LegalMoves, other, type Side } from '../protocol';
import { lineOf, type Turn } from '../turns';
import { dialog } from '../ui/dialogs';
import { showBoard } from '../ui/sight';
import { preset } from './choice';
import { isEngine, thinking } from './opponent';
import { playOn as keepPlaying } from './resignation';

/** Size of the search for a hint. */
const HINT_NODES = 4000;

export function people(): Side[] {
  return (['white', 'black'] as const).filter((side) => !isEngine(side));
}

/** Nobody plays but the engine. */
export function isShow(): boolean {
  return people().length === 0;
}

/** The node to which a take-back leads: before the last turn of a person. `null` if there is none. */
export function takeBackTo(): GameNode | null {
  const { tip } = match.peek();
  if (isRecord(match.peek())) return null;
  // Two people, or two engines: a single turn. Against the engine: its answer and one's own.
  if (people().length !== 1) return tip.parent;
  const own = people()[0]!;
  for (let at = tip.parent; at; at = at.parent) if (at.toMove === own) return at;
  return null;
}

/** Takes the last turn back, and the engine's answer to it. Says whether there was one. */
export function takeBack(): boolean {
  const to = takeBackTo();
  if (!to) return false;
  return goBackTo(to);
}

/** The game goes on from an earlier position; what followed is taken out. */
export function goBackTo(to: GameNode): boolean {
  const now = match.peek();
  const way = line(now.tip);
  const next = way[way.indexOf(to) + 1];
  if (!way.includes(to) || !next) return false;
  now.ending = null;
  problem.value = '';
  drop(next);
  go(to);
  return true;
}

/** Who resigns now: the person against the engine, or the one of two people whose turn it is. */
export function resigningSide(): Side | null {
  const now = match.peek();
  if (!isGoingOn(now)) return null;
  const sides = people();
  if (sides.length === 1) return sides[0]!;
  return sides.length === 2 ? now.tip.toMove : null;
}

export function resign(): void {
  const side = resigningSide();
  if (!side) return;
  match.peek().ending = { winner: other(side), reason: 'resigned' };
  touch();
}

/** Was the game ended by the engine's resignation or because it was decided? Then it can still go on. */
export function canPlayOn(): boolean {
  const { ending } = match.peek();
  if (ending === null || ending.reason === 'time' || isRecord(match.peek())) return false;
  return ending.reason === 'decided' || ending.winner === people()[0];
}

/** The game goes on where it was ended; the engine resigns no more. */
export function playOn(): void {
  const now = match.peek();
  if (!canPlayOn()) return;
  keepPlaying(now);
  now.ending = null;
  touch();
}

/**
 * The game goes on from the position on the board. A record stays as it is: what is played from there is a game of its
 * own, against an opponent who is yet to be chosen. */
export function playFromHere(): void {
  if (!isRecord(match.peek())) {
    goBackTo(current.peek());
    return;
  }
  preset.value = { from: 'current', opponents: 'engine', side: moverAt(current.peek()) };
  dialog.value = 'new';
}

export function flip(): void {
  bottom.value = other(bottom.peek());
}

/** Begins a game; the one that it replaces can be brought back. */
export function newGame(setup: Setup, told: LegalMoves | null = null): void {
  replaceGame(newMatch(evened(setup), told));
  tab.value = 'play';
  showBoard();
}

/** Begins a game with the setup of this one. Against the engine the sides change. */
export function playAgain(): void {
  const { setup } = match.peek();
  const { white, black } = setup.players;
  newGame({ ...setup, players: people().length === 1 ? { white: black, black: white } : { white, black } });
}

export function setPaused(value: boolean): void {
  problem.value = '';
  paused.value = value;
}

interface Hint {
  node: GameNode;
  /** `null` while it is searched. */
  turn: Turn | null;
}

export const hint = signal<Hint | null>(null);
let hinting: Search | null = null;

/** May somebody ask for a hint now? */
export function hintable(): boolean {
  const now = match.peek();
  return isGoingOn(now) && current.peek() === now.tip && !isEngine(now.tip.toMove) && !thinking.peek();
}

/** Searches a good turn for the person to move, and shows it as an arrow. `null` if none was found. */
export async function askHint(): Promise<Turn | null> {
  if (!hintable()) return null;
  const node = current.peek();
  hinting?.stop();
  hint.value = { node, turn: null };
  const search = session.analyse({ ...positionOf(node), nodes: HINT_NODES });
  hinting = search;
  try {
    const { moveInfos } = await search.done;
    const turn = (moveInfos[0] && lineOf(moveInfos[0])[0]) ?? null;
    if (hinting === search && hint.peek()?.node === node) hint.value = turn === null ? null : { node, turn };
    return turn;
  } catch (error) {
    if (hinting === search) hint.value = null;
    if (error instanceof NothingFound) return null;
    throw error;
  }
}

// A hint belongs to its position.
effect(() => {
  const node = current.value;
  const now = hint.peek();
  if (!now || now.node === node) return;
  if (now.turn === null) hinting?.stop();
  hint.value = null;
});

effect(() => {
  if (tab.value !== 'play') return;
  const turn = hint.value?.turn;
  boardArrows.value = turn ? [turnArrow(turn, 'hint', '')] : [];
});
