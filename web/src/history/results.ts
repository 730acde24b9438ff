// How games against the engine ended, counted by rule set and level.
import type { Match } from '../game/store';
import { games, type VariantId } from '../games';
import { type LevelId, levelOf, levels } from '../play/levels';
import type { Outcome, Side } from '../protocol';

/** A game of one person against the engine. */
export interface Against {
  person: Side;
  level: LevelId;
}

export interface ResultRow {
  variant: VariantId;
  level: LevelId;
  won: number;
  drawn: number;
  lost: number;
}

/** `null` if two people play, or nobody. */
export function againstIn({ setup }: Match): Against | null {
  const { white, black } = setup.players;
  if (white.kind === 'human' && black.kind === 'engine')
    return { person: 'white', level: levelOf(black.level).id };
  if (black.kind === 'human' && white.kind === 'engine')
    return { person: 'black', level: levelOf(white.level).id };
  return null;
}

/** `null` while nobody has won. */
export function outcomeOf({ ending, tip }: Match): Outcome | null {
  return ending?.winner ?? tip.outcome;
}

/** In the order of rule sets and levels. A game from a position that was set up says nothing of a level. */
export function resultsIn(played: readonly Match[]): ResultRow[] {
  const rows = new Map<string, ResultRow>();
  for (const game of played) {
    const [against, outcome] = [againstIn(game), outcomeOf(game)];
    if (!against || outcome === null || game.setup.start !== null) continue;
    const { variant } = game.setup;
    const key = `${variant} ${against.level}`;
    const row = rows.get(key) ?? { variant, level: against.level, won: 0, drawn: 0, lost: 0 };
    if (outcome === 'draw') row.drawn += 1;
    else if (outcome === against.person) row.won += 1;
    else row.lost += 1;
    rows.set(key, row);
  }
  return games.flatMap(({ id: variant }) =>
    levels.flatMap(({ id: level }) => rows.get(`${variant} ${level}`) ?? []),
  );
}
