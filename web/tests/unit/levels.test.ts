// Levels of the engine, and the rating of whoever plays against it.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Match } from '../../src/game/store';
import { games } from '../../src/games';
import { ratingAfter } from '../../src/history/results';
import { eloOf, levelsFor } from '../../src/play/levels';

const setup = (level: string): Match['setup'] => ({
  variant: 'amazons6',
  start: null,
  players: { white: { kind: 'human' }, black: { kind: 'engine', level } },
  control: null,
  movetime: 1000,
});

const played = (level: string, winner: 'white' | 'black') =>
  ({ setup: setup(level), ending: { winner, reason: 'resigned' }, tip: {} }) as Match;

test('in every rule set levels are at most 200 points apart', () => {
  for (const { id } of games) {
    const elos = levelsFor(id).map((level) => eloOf(level.id, id));
    assert.equal(elos.pop(), null);
    for (const [at, elo] of elos.slice(1).entries()) {
      const gap = elo! - elos[at]!;
      assert.ok(gap > 0 && gap <= 200, `${id}: ${elos[at]} to ${elo}`);
    }
  }
});

test('whoever wins is rated higher', () => {
  const { rating: at, deviation } = ratingAfter([], 'amazons6');
  const won = ratingAfter([played('novice', 'white'), played('~900', 'white')], 'amazons6');
  const lost = ratingAfter([played('novice', 'black')], 'amazons6');
  assert.ok(won.rating > at + 100 && lost.rating < at, `${won.rating}, ${lost.rating}`);
  assert.ok(won.deviation < deviation);
  // Full strength has no rating, and other rule sets have ratings of their own.
  assert.equal(ratingAfter([played('full', 'black')], 'amazons6').rating, at);
  assert.equal(ratingAfter([played('novice', 'white')], 'amazons').rating, at);
});
