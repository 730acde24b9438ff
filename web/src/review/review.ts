// The review: every position of the main line is searched, and the engine judges each turn by the win rate that it lost.
// Where it says so, the position after the best turn is searched too.

import { computed, effect, signal, untracked } from '@preact/signals';
import { messageOf, NothingFound } from '../errors';
import { positionReview, searchAfter, told } from '../game/judging';
import { kinds, match, positionOf, positions, revision, touch } from '../game/store';
import { type GameNode, moverAt, type PositionReview } from '../game/tree';
import { session } from '../host';
import { SearchGroup } from '../host/group';
import { say } from '../live';
import { phrase } from '../messages';
import type { AnalyseQuery, Analysis, MoveReviewed, Reviewed } from '../protocol';
import { review } from './steps';
import { countsOf } from './words';

export type Care = 'quick' | 'deep';
export const NODES: Record<Care, number> = { quick: 20_000, deep: 400_000 };

export interface TurnVerdict extends MoveReviewed {
  /** The position after the turn. */
  node: GameNode;
  ply: number;
  /** The position before it, with the best turn. */
  before: PositionReview;
  /** With the best turn: the position after it, where that was searched, else that before it. */
  withBest: PositionReview;
  after: PositionReview;
}

export interface Progress {
  care: Care;
  done: number;
  total: number;
}

/** The review that runs; `null` if none does. */
export const progress = signal<Progress | null>(null);
export const trouble = signal('');

const searches = new SearchGroup(session);

/** The engine's judgement of the game; `null` unless two neighbouring positions were searched. */
export const judged = signal<Reviewed | null>(null);

/** Verdicts of all turns between two reviewed positions. */
export const verdicts = computed<TurnVerdict[]>(() => {
  revision.value;
  return positions.value.flatMap((node) => {
    const { parent, verdict, ply, review: after } = node;
    const before = parent?.review;
    return verdict && before && after
      ? [{ ...verdict, node, ply, before, withBest: before.afterBest ?? before, after }]
      : [];
  });
});

let asked = '';
let judging: Promise<void> = Promise.resolve();

/** Has the engine judge the turns of the main line, as far as they are not judged yet. */
function judge(): Promise<void> {
  const nodes = positions.peek();
  if (!nodes.some((node) => node.review && node.parent?.review)) {
    asked = '';
    judged.value = null;
    return Promise.resolve();
  }
  const query = {
    action: 'review' as const,
    ...positionOf(nodes.at(-1)!),
    positions: nodes.map((node) => node.review && told(moverAt(node), node.review)),
  };
  const text = JSON.stringify(query);
  if (text !== asked) {
    asked = text;
    judging = session.ask(query).then(
      (answer) => {
        if (asked !== text) return;
        for (const move of answer.moves) nodes[move.turnNumber + 1]!.verdict = move;
        kinds.value = answer.kinds;
        judged.value = answer;
        touch();
      },
      (error: unknown) => {
        trouble.value = messageOf(error);
      },
    );
  }
  return judging;
}

effect(() => {
  positions.value;
  untracked(() => void judge());
});

/** How many positions of the main line were searched with so much care. */
export function reviewed(care: Care): number {
  return positions.value.filter((node) => isDone(node, care)).length;
}

export function isDone(node: GameNode, care: Care): boolean {
  const { review } = node;
  return review !== null && (review.nodes >= NODES[care] || review.proven !== null);
}

/** Searches what is missing, from the first turn on. Resolves when all is done or it was stopped. */
export async function startReview(care: Care): Promise<void> {
  stopReview();
  const counts = searches.watch();
  trouble.value = '';
  const nodes = untracked(() => positions.value);
  const open = nodes.filter((node) => !isDone(node, care));
  try {
    await review({
      open,
      done: nodes.length - open.length,
      // A server searches several positions at once; a worker takes them one by one anyway.
      lanes: session.kind === 'socket' ? 2 : 1,
      goesOn: counts,
      search: (node) => searchHere(node, NODES[care]),
      async judge() {
        await judge();
        return nodes.filter((node) => node.verdict?.wanted);
      },
      searchAfterBest: (node) => searchAfterBest(node, NODES[care]),
      report(done, total) {
        if (counts()) progress.value = { care, done, total };
      },
    });
  } catch (error) {
    if (!(error instanceof NothingFound) && counts()) trouble.value = messageOf(error);
  }
  if (!counts()) return;
  stopReview();
  await judge();
  say(phrase('review.done', { kinds: countsOf(verdicts.peek(), kinds.peek()) || phrase('mistakes.none') }));
}

async function searchHere(node: GameNode, nodes: number): Promise<() => void> {
  const answer = await searches.ask({ ...positionOf(node), nodes, prove: true, priority: -1 });
  return () => {
    node.review = positionReview(answer, nodes);
    node.whiteWinrate = node.review.white;
    node.analysis ??= answer;
    touch();
  };
}

/** Searches the position after the best turn in place of the one that led to `node`. */
async function searchAfterBest({ parent }: GameNode, nodes: number): Promise<() => void> {
  const best = parent?.review?.line[0];
  if (!parent?.review || !best) return () => {};
  const afterBest = await reviewAfter(parent, best.text, nodes, (query) => searches.ask(query));
  return () => {
    if (parent.review) parent.review = { ...parent.review, afterBest };
    touch();
  };
}

/** The review of the position after a turn: a known one, or that of a search made now. */
export async function reviewAfter(
  before: GameNode,
  turn: string,
  nodes: number,
  ask: (query: AnalyseQuery) => Promise<Analysis>,
): Promise<PositionReview> {
  const known = before.children.find((child) => child.turn === turn)?.review;
  if (known && known.nodes >= nodes) return known;
  return searchAfter(positionOf(before), turn, nodes, ask);
}

export function stopReview(): void {
  searches.stop();
  progress.value = null;
}

/** Another game: what runs is of no use any more. */
effect(() => {
  match.value;
  untracked(stopReview);
});
