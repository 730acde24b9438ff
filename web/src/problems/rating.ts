// The solver's rating, kept in the browser: one for each rule set, as the grades of problems are ratings of the engine in
// their own rule set. Each problem counts once, by its first try.
import { batch, effect, signal } from '@preact/signals';
import { isVariant, type VariantId } from '../games';
import { number, phrase } from '../messages';
import { follow, load, store } from '../storage';
import { type Rating, rated, UNKNOWN } from './glicko';
import { groupOf, type Problem, suite } from './suite';

/** The solver's rating in a rule set, with its past. */
export interface Solver extends Rating {
  /** The rating after each problem, the last ones. */
  past: number[];
}

interface Saved {
  solvers: Partial<Record<VariantId, Solver>>;
  /** The problems that have counted. */
  tried: string[];
}

const KEY = 'rating';
/** Problems that the curve shows. */
const CURVE = 60;
/** The levels that try problems are so far apart. */
const APART = 400;

function read(value: unknown): Saved {
  const { solvers, tried } = value as Saved;
  if (typeof solvers !== 'object' || !Array.isArray(tried)) throw new Error('no ratings');
  for (const [variant, solver] of Object.entries(solvers)) {
    const { rating, deviation, volatility, past } = solver!;
    if (!isVariant(variant) || ![rating, deviation, volatility, ...past].every(Number.isFinite))
      throw new Error(`no rating in ${variant}`);
  }
  return { solvers, tried };
}

const saved = load(KEY, read);
export const solvers = signal<Saved['solvers']>(saved?.solvers ?? {});
const tried = signal<ReadonlySet<string>>(new Set(saved?.tried ?? []));
const now = (): Saved => ({ solvers: solvers.value, tried: [...tried.value] });

effect(() => store(KEY, now()));
follow(KEY, read, now, (told) =>
  batch(() => {
    solvers.value = told.solvers;
    tried.value = new Set(told.tried);
  }),
);

/** The change of the rating by the last problem that counted. */
export const change = signal<{ id: string; by: number } | null>(null);

/** Does a try at this problem still count? How hard one's own mistakes are, nobody has measured. */
export function counts({ id, mistake }: Problem): boolean {
  return !mistake && !tried.value.has(id);
}

/** A grade lies between two levels. What no level finds is somewhere above the highest. */
function ratingOf({ id, elo }: Problem): Pick<Rating, 'rating' | 'deviation'> {
  const levels = suite.content.peek()?.find((group) => group.id === groupOf(id))?.levels ?? [];
  const highest = levels.at(-1) ?? 0;
  const step = highest - (levels.at(-2) ?? highest - APART);
  return elo === null ? { rating: highest + step, deviation: step } : { rating: elo, deviation: step / 2 };
}

/** The first try at a problem has ended: the turn was found, or a wrong one, a hint or the solution came before. */
export function rate(problem: Problem, found: boolean): void {
  if (!counts(problem)) return;
  const { id, variant } = problem;
  const before = solvers.peek()[variant] ?? { ...UNKNOWN, past: [] };
  const after = rated(before, ratingOf(problem), found ? 1 : 0);
  const past = [...before.past, Math.round(after.rating)].slice(-CURVE);
  tried.value = new Set([...tried.peek(), id]);
  solvers.value = { ...solvers.peek(), [variant]: { ...after, past } };
  change.value = { id, by: Math.round(after.rating) - Math.round(before.rating) };
}

/** "Your rating: 1224 (+31)." */
export function changeWords(rating: number, by: number): string {
  const change = `${by < 0 ? '−' : '+'}${number(Math.abs(by))}`;
  return phrase('rating.change', { rating: String(Math.round(rating)), by: change });
}

export function forgetRating(variant: VariantId): void {
  const { [variant]: _, ...others } = solvers.peek();
  solvers.value = others;
  change.value = null;
}
