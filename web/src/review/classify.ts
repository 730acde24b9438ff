// How much a turn cost, and what that is called.
import { PER_CENT } from '../analysis/standing';
import type { Side } from '../protocol';

export type Kind = 'inaccuracy' | 'mistake' | 'blunder';

/** From which loss of win rate on (0 … 1) a turn is called so. The page states these numbers. */
export const THRESHOLDS: Record<Kind, number> = { inaccuracy: 0.05, mistake: 0.1, blunder: 0.2 };
export const KINDS: readonly Kind[] = ['inaccuracy', 'mistake', 'blunder'];

export const GLYPH: Record<Kind, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };
export const PLURAL: Record<Kind, string> = {
  inaccuracy: 'inaccuracies',
  mistake: 'mistakes',
  blunder: 'blunders',
};

/** Loss of the mover's win rate, never negative: a search of the next position may see more than the one before. */
export function lossOf(whiteBefore: number, whiteAfter: number, mover: Side): number {
  const loss = mover === 'white' ? whiteBefore - whiteAfter : whiteAfter - whiteBefore;
  return Math.max(0, loss);
}

/** By whole per cents, as they are shown: what reads as 10 % is named as 10 %. */
export function kindOf(loss: number): Kind | null {
  const whole = Math.round(loss * 100) / 100;
  if (whole >= THRESHOLDS.blunder) return 'blunder';
  if (whole >= THRESHOLDS.mistake) return 'mistake';
  if (whole >= THRESHOLDS.inaccuracy) return 'inaccuracy';
  return null;
}

export interface Verdict {
  side: Side;
  ply: number;
  loss: number;
  kind: Kind | null;
}

export interface Summary {
  turns: number;
  /** Mean loss of win rate, 0 … 1; 0 without turns. */
  averageLoss: number;
  counts: Record<Kind, number>;
  /** Share of turns that were no mistake of any kind; 1 without turns. */
  accuracy: number;
}

export function summarise(verdicts: readonly Verdict[], side: Side): Summary {
  const own = verdicts.filter((verdict) => verdict.side === side);
  const counts: Record<Kind, number> = { inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const { kind } of own) if (kind) counts[kind] += 1;
  const sum = own.reduce((total, { loss }) => total + loss, 0);
  const good = own.filter(({ kind }) => kind === null).length;
  return {
    turns: own.length,
    averageLoss: own.length > 0 ? sum / own.length : 0,
    counts,
    accuracy: own.length > 0 ? good / own.length : 1,
  };
}

export type Order = 'cost' | 'turn';

/** The mistakes among the verdicts, for one side or both, the dearest or the earliest first. */
export function mistakesOf<V extends Verdict>(
  verdicts: readonly V[],
  side: Side | 'both',
  order: Order,
): V[] {
  const found = verdicts.filter((verdict) => verdict.kind && (side === 'both' || verdict.side === side));
  return found.sort((a, b) => (order === 'cost' ? b.loss - a.loss || a.ply - b.ply : a.ply - b.ply));
}

/**
 * Which of the mistakes comes next (`by` 1) or before (-1): round the list from the one looked at, `at`, or, if none is
 * (-1), from the position on the board.
 */
export function nextPlace(
  list: readonly { ply: number }[],
  at: number,
  by: 1 | -1,
  order: Order,
  ply: number,
): number {
  if (list.length === 0) return -1;
  if (at >= 0) return (at + by + list.length) % list.length;
  if (order === 'cost') return by > 0 ? 0 : list.length - 1;
  const following = list.findIndex((mistake) => mistake.ply > ply);
  if (by > 0) return Math.max(0, following);
  return following < 0 ? list.length - 1 : (following - 1 + list.length) % list.length;
}

/** "12 %", "under 1 %". */
export function points(loss: number): string {
  return (loss > 0 && loss < 0.005 ? 'under 1' : Math.round(loss * 100)) + PER_CENT;
}

/** What is said of a turn that was tried in place of the one played. */
export function trialWords(loss: number, isBest: boolean, lossInGame: number): string {
  if (isBest) return 'That is the best turn.';
  if (loss < 0.01) return 'As good as the best.';
  if (kindOf(loss) === null) return `Good: it loses only ${points(loss)}.`;
  if (loss + 0.01 < lossInGame) return `Better than in the game, but it still loses ${points(loss)}.`;
  if (loss > lossInGame + 0.01) return `Worse than in the game: it loses ${points(loss)}.`;
  return `No better than in the game: it loses ${points(loss)}.`;
}
