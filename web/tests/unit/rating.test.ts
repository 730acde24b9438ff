// The solver's rating, and the problem of the day.
import assert from 'node:assert/strict';
import test from 'node:test';
import { problemOn } from '../../src/problems/daily';
import { rated, UNKNOWN } from '../../src/problems/glicko';
import type { Problem } from '../../src/problems/suite';

test('ratings are those of Glicko-2', () => {
  // Computed by another program from the formulas of the paper, with the root by bisection.
  for (const [own, opponent, score, expected] of [
    [[1500, 200, 0.06], [1400, 30], 1, [1563.5642, 175.4027, 0.0599987]],
    [[1800, 60, 0.06], [900, 200], 0, [1782.219, 60.8661, 0.0600093]],
  ] as const) {
    const [rating, deviation, volatility] = own;
    const found = rated(
      { rating, deviation, volatility },
      { rating: opponent[0], deviation: opponent[1] },
      score,
    );
    assert.ok(Math.abs(found.rating - expected[0]) < 0.001, `${found.rating}`);
    assert.ok(Math.abs(found.deviation - expected[1]) < 0.001, `${found.deviation}`);
    assert.ok(Math.abs(found.volatility - expected[2]) < 1e-6, `${found.volatility}`);
  }
});

test('a rating becomes sure, and no result breaks it', () => {
  let own = UNKNOWN;
  for (let number = 0; number < 200; number += 1)
    own = rated(own, { rating: 1700, deviation: 120 }, number % 2);
  assert.ok(Math.abs(own.rating - 1700) < 60, `${own.rating}`);
  assert.ok(own.deviation < 90 && own.deviation >= 50, `${own.deviation}`);
  const wonder = rated(UNKNOWN, { rating: 3600, deviation: 200 }, 1);
  assert.ok(wonder.rating < 2200 && wonder.volatility <= 0.1, JSON.stringify(wonder));
});

test('a first problem that goes wrong takes less than 250 points', () => {
  const { rating } = rated(UNKNOWN, { rating: 400, deviation: 200 }, 0);
  assert.ok(UNKNOWN.rating - rating < 250, `${rating}`);
});

test('a day has one problem, and all come before one comes again', () => {
  const problems = Array.from({ length: 1000 }, (_, number) => ({ id: `p-${number}` }) as Problem);
  const ids = Array.from({ length: 1000 }, (_, day) => problemOn(20_000 + day, problems)?.id);
  assert.equal(new Set(ids).size, 1000);
  assert.equal(problemOn(20_000, problems), problemOn(21_000, problems));
  assert.equal(problemOn(1, []), null);
});
