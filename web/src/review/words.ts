// Which mistakes are shown, and what is said of them. What a turn lost and what that is called, the engine says.
import { list, phrase } from '../messages';
import type { KindName, MoveReviewed, Side } from '../protocol';

interface Judged {
  side: Side;
  ply: number;
  loss: number;
  kind?: KindName;
}

export type Order = 'cost' | 'turn';

/** The mistakes among the verdicts, for one side or both, the dearest or the earliest first. */
export function mistakesOf<V extends Judged>(verdicts: readonly V[], side: Side | 'both', order: Order): V[] {
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

/** "2 mistakes and 1 blunder". */
export function countsOf(
  found: readonly { kind?: KindName }[],
  kinds: readonly { name: KindName }[],
): string {
  const counts = kinds.map(({ name }) => ({ name, count: found.filter(({ kind }) => kind === name).length }));
  return list(
    counts
      .filter(({ count }) => count > 0)
      .map(({ name, count }) => phrase(`kind.counted.${name}`, { count })),
  );
}

type Subject = NonNullable<MoveReviewed['about']>;

/** Nobody keeps more in mind. */
const MOST_LESSONS = 3;

/** What there is to learn from mistakes, the dearest first, by what the engine says that they were about. */
export function lessonsOf(found: readonly Pick<MoveReviewed, 'loss' | 'about'>[]): string[] {
  const costs = new Map<Subject, { count: number; loss: number }>();
  for (const { loss, about } of found) {
    if (!about) continue;
    const before = costs.get(about) ?? { count: 0, loss: 0 };
    costs.set(about, { count: before.count + 1, loss: before.loss + loss });
  }
  return [...costs]
    .sort(([, a], [, b]) => b.loss - a.loss)
    .slice(0, MOST_LESSONS)
    .map(([subject, { count }]) => phrase(`lessons.${subject}`, { count }));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
