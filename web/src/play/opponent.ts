// The engine's turns. One rule decides what is searched: where the game stands, an engine is to move, and nothing holds
// it back. Whatever changes (a turn taken back, a new game, a pause) changes what is searched; nobody starts or stops
// the engine by hand.

import { effect, signal, untracked } from '@preact/signals';
import { messageOf, NothingFound } from '../errors';
import {
  isGoingOn,
  match,
  paused,
  playAtTip,
  positionOf,
  problem,
  revision,
  touch,
  turnsOf,
} from '../game/store';
import type { GameNode } from '../game/tree';
import { session } from '../host';
import type { Search } from '../host/session';
import { phrase } from '../messages';
import { type AnalyseQuery, other, type Side } from '../protocol';
import { lineOf } from '../turns';
import { clockTimes } from './clock';
import { filling } from './decided';
import { eloOf } from './levels';
import { resigns } from './resignation';

/** Milliseconds before an answer is played: what comes at once is not seen to come. */
const PAUSE = 350;

/** The side for which the engine is thinking. */
export const thinking = signal<Side | null>(null);

/** Milliseconds after which a search is worth a word: most end sooner. */
const SLOW = 700;

/** The search goes on for a while. */
export const slow = signal(false);
/** Milliseconds that the search takes in all; `null` if only the engine knows. */
export const allotted = signal<number | null>(null);

/** Plays what the engine has found so far. */
export function moveNow(): void {
  job?.search.stop();
}

/** While paused: one turn is played nevertheless. */
const stepping = signal(false);

interface Job {
  node: GameNode;
  search: Search;
}

let job: Job | null = null;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Plays one turn of the engine and stays paused. */
export function stepOnce(): void {
  if (paused.peek()) stepping.value = true;
}

export function isEngine(side: Side | null): boolean {
  return side !== null && match.peek().setup.players[side].kind === 'engine';
}

effect(() => {
  revision.value;
  match.value;
  paused.value;
  stepping.value;
  filling.value;
  untracked(update);
});

function update(): void {
  const wanted = wantedNode();
  if (job && job.node !== wanted) {
    const { search } = job;
    forget();
    search.stop();
  }
  if (wanted && !job) think(wanted);
}

function wantedNode(): GameNode | null {
  const now = match.peek();
  if (!isGoingOn(now)) return null;
  if (now.tip.toMove === null) {
    // Asked for without a look at who plays: the answer says whose turn it is, and comes back here.
    turnsOf(now.tip).catch(() => {});
    return null;
  }
  if (!isEngine(now.tip.toMove) || filling.peek()) return null;
  return paused.peek() && !stepping.peek() ? null : now.tip;
}

function query(node: GameNode, side: Side): AnalyseQuery {
  const { setup } = match.peek();
  const player = setup.players[side];
  const elo = eloOf(player.kind === 'engine' ? player.level : 'full', setup.variant);
  const clock = clockTimes();
  return {
    ...positionOf(node),
    // Chance is drawn from the seed: without a new one each time the engine would play the same game again.
    seed: Math.floor(Math.random() * 2 ** 31),
    variety: 1,
    ...(elo === null ? {} : { elo }),
    ...(clock ? { clock } : elo === null ? { movetime: setup.movetime } : {}),
  };
}

function think(node: GameNode): void {
  const side = node.toMove!;
  const begun = performance.now();
  const asked = query(node, side);
  const search = session.analyse(asked);
  const mine: Job = { node, search };
  job = mine;
  allotted.value = asked.movetime ?? null;
  waiting = setTimeout(() => {
    slow.value = true;
  }, SLOW);
  thinking.value = side;
  search.done
    .then(async ({ moveInfos, rootInfo }) => {
      const wait = PAUSE - (performance.now() - begun);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      if (job !== mine) return;
      end();
      if (resigns(node, rootInfo)) {
        giveUp(side);
        return;
      }
      const [turn] = moveInfos[0] ? lineOf(moveInfos[0]) : [];
      if (turn) playAtTip(turn);
    })
    .catch((error: unknown) => {
      if (job !== mine) return;
      end();
      paused.value = true;
      problem.value =
        error instanceof NothingFound
          ? phrase('play.stopped')
          : phrase('play.couldNot', { reason: messageOf(error) });
    });
}

function giveUp(side: Side): void {
  match.peek().ending = { winner: other(side), reason: 'resigned' };
  touch();
}

function forget(): void {
  job = null;
  thinking.value = null;
  clearTimeout(waiting);
  slow.value = false;
}

function end(): void {
  forget();
  stepping.value = false;
}
