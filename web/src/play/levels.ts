// How strong the engine plays, by name. What a level plays like and its rating in each rule set are the engine's.
import { gameOf, games, type VariantId } from '../games';
import { phrase } from '../messages';

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

export type LevelId = (typeof IDS)[number];

export interface Level {
  id: LevelId;
  readonly title: string;
  /** How the level plays, in a few words. In English they are the engine's own. */
  readonly note: string;
}

export const levels: readonly Level[] = games[0]!.strengths.flatMap(({ name }): Level[] => {
  const id = IDS.find((one) => one === name);
  if (!id) return [];
  return [
    {
      id,
      get title() {
        return phrase(`level.title.${id}`);
      },
      get note() {
        return phrase(`level.note.${id}`);
      },
    },
  ];
});

/** The level of this name; full strength for a name that is none, as one from a newer page. */
export function levelOf(id: string): Level {
  return levels.find((one) => one.id === id) ?? levels.at(-1)!;
}

/** The rating to play at; `null` is full strength. */
export function eloOf(level: Level, variant: VariantId): number | null {
  return gameOf(variant).strengths.find(({ name }) => name === level.id)?.elo ?? null;
}
