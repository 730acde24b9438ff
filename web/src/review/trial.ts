// Trying again: the position before a mistake is set, turns that are entered are judged and not played, and the answer
// stays hidden until it is asked for.

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { NothingFound } from '../errors';
import { verdictOn } from '../game/judging';
import { numberOf } from '../game/numbers';
import { current, go, match, playTurn, positionOf, tab, turnTaker } from '../game/store';
import type { GameNode, PositionReview } from '../game/tree';
import { article, points, trialWords, valueFor } from '../game/verdicts';
import { session } from '../host';
import { say } from '../live';
import { phrase } from '../messages';
import { sideName, turnWords } from '../names';
import type { MoveReviewed, Side } from '../protocol';
import type { Turn } from '../turns';
import { reasonWords } from './reasons';
import { NODES, reviewAfter, type TurnVerdict, verdicts } from './review';
import { mistakesOf, nextPlace, type Order } from './words';

export interface Attempt {
  turn: Turn;
  /** `null` while the engine thinks about it. */
  words: string | null;
  verdict: MoveReviewed | null;
}

export interface Trial {
  mistake: TurnVerdict;
  attempt: Attempt | null;
  shown: boolean;
}

/** Turns of a line that are shown. */
export const SHOWN = 5;

/** The mistake that is looked at. */
export const trial = signal<Trial | null>(null);
export const filter = signal<Side | 'both'>('both');
export const order = signal<Order>('turn');

export const mistakes = computed(() => mistakesOf(verdicts.value, filter.value, order.value));

export function tryAgain(mistake: TurnVerdict): void {
  const { parent } = mistake.node;
  if (!parent) return;
  batch(() => {
    trial.value = { mistake, attempt: null, shown: false };
    go(parent);
  });
  say(questionWords(mistake));
}

/** The next or the previous mistake in the order shown; from the position on the board if none is looked at. */
export function step(by: 1 | -1): TurnVerdict | null {
  const list = mistakes.peek();
  const at = trial.peek()?.mistake.node ?? null;
  const index = list.findIndex((mistake) => mistake.node === at);
  const next = list[nextPlace(list, index, by, order.peek(), current.peek().ply)] ?? null;
  if (next) tryAgain(next);
  return next;
}

export function showAnswer(): void {
  const now = trial.peek();
  if (!now) return;
  trial.value = { ...now, shown: true };
  say(answerWords(now.mistake));
}

export function leaveTrial(): void {
  trial.value = null;
}

/** Forgets the attempt: the question stands again. */
export function again(): void {
  const now = trial.peek();
  if (now) trial.value = { ...now, attempt: null };
}

async function judge(turn: Turn): Promise<void> {
  const now = trial.peek();
  const { parent } = now?.mistake.node ?? {};
  if (!now || !parent) return;
  const attempt: Attempt = { turn, words: null, verdict: null };
  trial.value = { ...now, attempt };
  const still = () => trial.peek()?.attempt === attempt;
  try {
    const nodes = Math.max(now.mistake.before.nodes, NODES.quick);
    const after = await reviewAfter(parent, turn.text, nodes, (query) => session.analyse(query).done);
    const { mistake } = now;
    const { side, before } = mistake;
    const verdict = await verdictOn(positionOf(parent), turn.text, side, { before, after });
    if (!still()) return;
    const words = `${trialWords(verdict, mistake.loss)} ${outlook(mistake.side, after)}`;
    trial.value = { ...now, attempt: { turn, words, verdict } };
    say(words);
  } catch (error) {
    if (!still()) return;
    const words = error instanceof NothingFound ? phrase('trial.stopped') : String(error);
    trial.value = { ...now, attempt: { ...attempt, words } };
  }
}

/** "White then has 57%." */
function outlook(side: Side, after: PositionReview): string {
  return phrase('trial.outlook', { side: sideName[side], value: valueFor(side, after) });
}

export function questionWords(mistake: TurnVerdict): string {
  const { turn, last } = mistake.node;
  return phrase('trial.question', {
    number: numberOf(mistake.node),
    side: sideName[mistake.side],
    turn: last ? turnWords(last) : turn,
    what: article(mistake.kind),
    loss: points(mistake.loss),
  });
}

export function answerWords(mistake: TurnVerdict): string {
  const best = mistake.before.line[0];
  if (best === undefined) return phrase('trial.noOther');
  const found = phrase('trial.bestSpoken', {
    turn: turnWords(best),
    value: valueFor(mistake.side, mistake.withBest),
  });
  const reasons = (mistake.reasons ?? []).map((reason) => reasonWords(reason, mistake.side));
  return [found, ...reasons].join(' ');
}

/** Plays the answer's line as a variation and shows it. */
export function playAnswer(): void {
  const now = trial.peek();
  const { parent } = now?.mistake.node ?? {};
  if (now && parent) playVariation(parent, now.mistake.before.line);
}

/** Plays what would follow the mistake as a variation and shows it. */
export function playRefutation(): void {
  const now = trial.peek();
  if (now) playVariation(now.mistake.node, now.mistake.after.line);
}

/** Plays the beginning of a line from a position, and goes to its first turn: what follows can be stepped through. */
function playVariation(from: GameNode, line: Turn[]): void {
  batch(() => {
    trial.value = null;
    go(from);
    for (const turn of line.slice(0, SHOWN)) playTurn(turn);
    const first = from.children.find((child) => child.turn === line[0]?.text);
    if (first) go(first);
  });
}

// While a mistake is looked at in the review, turns are judged and not played.
effect(() => {
  const asking = tab.value === 'review' && trial.value !== null;
  turnTaker.value = asking ? (turn) => void judge(turn) : null;
});

// Looking elsewhere, or another game, ends it.
effect(() => {
  const node = current.value;
  match.value;
  untracked(() => {
    const now = trial.peek();
    if (now && now.mistake.node.parent !== node) trial.value = null;
  });
});
