// How strong the engine plays, by name. What a level plays like and its rating in each rule set are the engine's.
import { gameOf, type VariantId } from '../games';
import { phrase } from '../messages';
import type { StrengthInfo } from '../protocol';

const IDS = [
  'beginner',
  'novice',
  'casual',
  'club',
  'skilled',
  'strong',
  'expert',
  'master',
  'full',
] as const;

/** The engine plays as well as the person. What it plays at then stands behind `~` in the game: `~1225`. */
export const EVEN = 'even';
/** A level without a name is a rating. */
const RATED = /^~?(\d+)$/;
/** Neighbouring levels are no farther apart. */
const APART = 200;

export interface Level {
  id: string;
  readonly title: string;
  /** How the level plays, in a few words. In English they are the engine's own. */
  readonly note?: string;
}

const isNamed = (id: string) => IDS.find((one) => one === id);

/** The level of this name or rating; full strength for what is neither, as from a newer page. */
export function levelOf(id: string): Level {
  const rating = RATED.exec(id)?.[1];
  if (rating) return { id, title: phrase('problems.rated', { rating }) };
  if (id === EVEN) return { id, title: phrase('level.even') };
  const known = isNamed(id) ?? 'full';
  return { id: known, title: phrase(`level.title.${known}`), note: phrase(`level.note.${known}`) };
}

export function isEven(id: string): boolean {
  return id === EVEN || id.startsWith('~');
}

/** All levels of a rule set: those with a name, and ratings between them. */
export function levelsFor(variant: VariantId): Level[] {
  let before: number | null = null;
  return gameOf(variant).strengths.flatMap(({ name, elo }) => {
    const [from, gap] = [before ?? 0, before === null || elo === null ? 0 : elo - before];
    before = elo;
    const parts = Math.ceil(gap / APART);
    const between = Array.from({ length: Math.max(0, parts - 1) }, (_, at) =>
      levelOf(String(Math.round(from + (gap * (at + 1)) / parts))),
    );
    return [...between, levelOf(name)];
  });
}

/** The engine's own level of this name; of a rating the highest that is not above it. */
export function strengthOf(id: string, variant: VariantId): StrengthInfo {
  const { strengths } = gameOf(variant);
  const rating = RATED.exec(id)?.[1];
  const found = rating
    ? strengths.findLast(({ elo }) => elo !== null && elo <= Number(rating))
    : strengths.find(({ name }) => name === levelOf(id).id);
  return found ?? strengths[0]!;
}

/** The rating to play at; `null` is full strength. */
export function eloOf(id: string, variant: VariantId): number | null {
  const rating = RATED.exec(id)?.[1];
  return rating ? Number(rating) : strengthOf(id, variant).elo;
}
