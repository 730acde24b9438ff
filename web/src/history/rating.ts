// How well somebody plays against the engine, by the games that are kept, and an engine that plays as well.
import type { Match, Setup } from '../game/store';
import { gameOf, type VariantId } from '../games';
import { isEven } from '../play/levels';
import type { Rating } from '../problems/glicko';
import { keptGames } from './games';
import { ratingAfter } from './results';

export function ratingIn(variant: VariantId): Rating {
  return ratingAfter(keptGames.value, variant);
}

/** The rating after a game, and by how much it has changed; `null` where it has not. */
export function changeBy(game: Match): { rating: number; by: number } | null {
  const { variant } = game.setup;
  const others = keptGames.value.filter(({ id }) => id !== game.id);
  const [before, after] = [ratingAfter(others, variant), ratingAfter([...others, game], variant)];
  if (before === after) return null;
  return { rating: Math.round(after.rating), by: Math.round(after.rating) - Math.round(before.rating) };
}

/** Where the engine is to be as strong as the person, it gets a rating. */
export function evened(setup: Setup): Setup {
  const { variant, players } = setup;
  const ratings = gameOf(variant).strengths.flatMap(({ elo }) => elo ?? []);
  const equal = Math.max(Math.min(...ratings), Math.min(Math.max(...ratings), ratingIn(variant).rating));
  const even = (player: Setup['players']['white']) =>
    player.kind === 'engine' && isEven(player.level) ? { ...player, level: `~${Math.round(equal)}` } : player;
  return { ...setup, players: { white: even(players.white), black: even(players.black) } };
}
