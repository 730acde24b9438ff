import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  kindOf,
  lossOf,
  mistakesOf,
  nextPlace,
  points,
  summarise,
  trialWords,
  type Verdict,
} from '../../src/review/classify';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('a loss is the mover’s and never negative', () => {
  assert.equal(lossOf(0.75, 0.5, 'white'), 0.25);
  assert.equal(lossOf(0.25, 0.5, 'black'), 0.25);
  assert.equal(lossOf(0.5, 0.75, 'white'), 0);
  assert.equal(lossOf(0.75, 0.5, 'black'), 0);
});

test('kinds follow the per cents that are shown', () => {
  assert.equal(kindOf(0), null);
  assert.equal(kindOf(0.044), null);
  assert.equal(kindOf(0.05), 'inaccuracy');
  assert.equal(kindOf(0.094), 'inaccuracy');
  // Reads as 10 %.
  assert.equal(kindOf(0.096), 'mistake');
  assert.equal(kindOf(0.3 - 0.2), 'mistake');
  assert.equal(kindOf(0.2), 'blunder');
  assert.equal(kindOf(1), 'blunder');
  assert.equal(plain(points(0.096)), '10 %');
  assert.equal(plain(points(0.001)), 'under 1 %');
  assert.equal(plain(points(0)), '0 %');
});

function verdict(ply: number, loss: number): Verdict {
  return { side: ply % 2 === 1 ? 'white' : 'black', ply, loss, kind: kindOf(loss) };
}
const game = [
  verdict(1, 0),
  verdict(2, 0.3),
  verdict(3, 0.07),
  verdict(4, 0.02),
  verdict(5, 0.11),
  verdict(6, 0.3),
];

test('a summary counts each side’s own turns', () => {
  const white = summarise(game, 'white');
  assert.equal(white.turns, 3);
  assert.deepEqual(white.counts, { inaccuracy: 1, mistake: 1, blunder: 0 });
  assert.ok(Math.abs(white.averageLoss - 0.06) < 1e-9);
  assert.ok(Math.abs(white.accuracy - 1 / 3) < 1e-9);
  assert.deepEqual(summarise([], 'black'), {
    turns: 0,
    averageLoss: 0,
    counts: { inaccuracy: 0, mistake: 0, blunder: 0 },
    accuracy: 1,
  });
});

test('mistakes are sorted by cost or by turn, and filtered by side', () => {
  const plies = (found: Verdict[]) => found.map(({ ply }) => ply);
  assert.deepEqual(plies(mistakesOf(game, 'both', 'turn')), [2, 3, 5, 6]);
  assert.deepEqual(plies(mistakesOf(game, 'both', 'cost')), [2, 6, 5, 3]);
  assert.deepEqual(plies(mistakesOf(game, 'white', 'cost')), [5, 3]);
});

test('the next mistake goes round, or on from the board', () => {
  const list = mistakesOf(game, 'both', 'turn');
  assert.equal(nextPlace(list, 0, 1, 'turn', 0), 1);
  assert.equal(nextPlace(list, 3, 1, 'turn', 0), 0);
  assert.equal(nextPlace(list, 0, -1, 'turn', 0), 3);
  // None is looked at: from the position after turn 3.
  assert.equal(nextPlace(list, -1, 1, 'turn', 3), 2);
  assert.equal(nextPlace(list, -1, -1, 'turn', 3), 1);
  assert.equal(nextPlace(list, -1, 1, 'turn', 6), 0);
  assert.equal(nextPlace(list, -1, -1, 'turn', 6), 3);
  assert.equal(nextPlace(list, -1, 1, 'cost', 6), 0);
  assert.equal(nextPlace([], -1, 1, 'cost', 6), -1);
});

test('what is said of a trial', () => {
  assert.equal(trialWords(0, true, 0.2), 'That is the best turn.');
  assert.equal(trialWords(0.005, false, 0.2), 'As good as the best.');
  assert.equal(plain(trialWords(0.03, false, 0.2)), 'Good: it loses only 3 %.');
  assert.equal(plain(trialWords(0.12, false, 0.2)), 'Better than in the game, but it still loses 12 %.');
  assert.equal(plain(trialWords(0.2, false, 0.2)), 'No better than in the game: it loses 20 %.');
  assert.equal(plain(trialWords(0.4, false, 0.2)), 'Worse than in the game: it loses 40 %.');
});
