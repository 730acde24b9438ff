// How strong the engine plays, by name. What a level plays like and its rating in each rule set are the engine's.
import { gameOf, games, type VariantId } from '../games';

const titles = {
  beginner: 'Beginner',
  novice: 'Novice',
  casual: 'Casual',
  club: 'Club player',
  skilled: 'Skilled',
  strong: 'Strong',
  expert: 'Expert',
  master: 'Master',
  full: 'Full strength',
};

export type LevelId = keyof typeof titles;

export interface Level {
  id: LevelId;
  title: string;
  /** What to expect, in a few words. */
  note: string;
}

export const levels: readonly Level[] = games[0]!.strengths.flatMap(({ name, note }) =>
  Object.hasOwn(titles, name) ? [{ id: name as LevelId, title: titles[name as LevelId], note }] : [],
);

/** The level of this name; full strength for a name that is none, as one from a newer page. */
export function levelOf(id: string): Level {
  return levels.find((one) => one.id === id) ?? levels.at(-1)!;
}

/** The rating to play at; `null` is full strength. */
export function eloOf(level: Level, variant: VariantId): number | null {
  return gameOf(variant).strengths.find(({ name }) => name === level.id)?.elo ?? null;
}
