// How strong the engine plays, by name. A rating means something else in each family of games, so each level has its
// own there: those that were measured, see "Limited strength" in protocol.md.
import type { Family } from '../games';

export type LevelId =
  | 'beginner'
  | 'novice'
  | 'casual'
  | 'club'
  | 'skilled'
  | 'strong'
  | 'expert'
  | 'master'
  | 'full';

export interface Level {
  id: LevelId;
  title: string;
  /** What to expect, in a few words. */
  note: string;
  /** `null` is full strength. */
  elo: Record<Family, number> | null;
}

export const levels: readonly Level[] = [
  level('beginner', 'Beginner', 'plays almost at random', 225, 160, 185),
  level('novice', 'Novice', 'often sees a good turn, often misses one', 585, 550, 370),
  level('casual', 'Casual', 'plays by feeling, without looking ahead', 1080, 885, 655),
  level('club', 'Club player', 'weighs every turn, but looks no further', 1295, 1085, 1050),
  level('skilled', 'Skilled', 'looks a little ahead', 1955, 1770, 1095),
  level('strong', 'Strong', 'looks ahead and rarely errs', 2560, 2070, 1240),
  level('expert', 'Expert', 'a hard opponent for anybody', 2960, 2380, 1465),
  level('master', 'Master', 'hardly to be beaten', 3360, 2630, 1615),
  { id: 'full', title: 'Full strength', note: 'all that it can do in its time', elo: null },
];

function level(
  id: LevelId,
  title: string,
  note: string,
  amazons: number,
  desdemona: number,
  damone: number,
): Level {
  return { id, title, note, elo: { amazons, desdemona, damone } };
}

/** The level of this name; full strength for a name that is none, as one from a newer page. */
export function levelOf(id: string): Level {
  return levels.find((one) => one.id === id) ?? levels.at(-1)!;
}
