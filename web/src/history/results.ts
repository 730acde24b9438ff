// How games against the engine ended, counted by rule set and level, and how well somebody plays.
import type { Match } from '../game/store';
import { games, type VariantId } from '../games';
import { eloOf, levelOf, levelsFor } from '../play/levels';
import { type Rating, rated, UNKNOWN } from '../problems/glicko';
import type { Outcome, Side } from '../protocol';

/** A game of one person against the engine. */
export interface Against {
  person: Side;
  level: string;
}

export interface ResultRow {
  variant: VariantId;
  level: string;
  won: number;
  drawn: number;
  lost: number;
}

/** `null` if two people play, or nobody. */
export function againstIn({ setup }: Match): Against | null {
  const { white, black } = setup.players;
  if (white.kind === 'human' && black.kind === 'engine') return { person: 'white', level: black.level };
  if (black.kind === 'human' && white.kind === 'engine') return { person: 'black', level: white.level };
  return null;
}

/** `null` while nobody has won. */
export function outcomeOf({ ending, tip }: Match): Outcome | null {
  return ending?.winner ?? tip.outcome;
}

/** In the order of rule sets and levels. A game from a position that was set up says nothing of a level, and what was
 * played at ratings counts for the player's own. */
export function resultsIn(played: readonly Match[]): ResultRow[] {
  const rows = new Map<string, ResultRow>();
  for (const game of played) {
    const [against, outcome] = [againstIn(game), outcomeOf(game)];
    if (!against || outcome === null || game.setup.start !== null) continue;
    const { variant } = game.setup;
    const level = levelOf(against.level).id;
    const key = `${variant} ${level}`;
    const row = rows.get(key) ?? { variant, level, won: 0, drawn: 0, lost: 0 };
    if (outcome === 'draw') row.drawn += 1;
    else if (outcome === against.person) row.won += 1;
    else row.lost += 1;
    rows.set(key, row);
  }
  return games.flatMap(({ id: variant }) =>
    levelsFor(variant).flatMap(({ id: level }) => rows.get(`${variant} ${level}`) ?? []),
  );
}

/** Who is not known begins low: to win first is more fun. */
const BEGINNING: Rating = { ...UNKNOWN, rating: 700, deviation: 300 };
/** What a rating of the engine is worth. */
const DEVIATION = 60;

/** Glicko-2 over games, the oldest first. One from a position that was set up, or against full strength, tells nothing. */
export function ratingAfter(games: readonly Match[], variant: VariantId): Rating {
  return games.reduce((own, game) => {
    const { setup } = game;
    const [against, outcome] = [againstIn(game), outcomeOf(game)];
    if (setup.variant !== variant || setup.start !== null || !against || !outcome) return own;
    const rating = eloOf(against.level, variant);
    if (rating === null) return own;
    const score = outcome === 'draw' ? 0.5 : outcome === against.person ? 1 : 0;
    return rated(own, { rating, deviation: DEVIATION }, score);
  }, BEGINNING);
}
