// The problems that come with the program, as the page reads them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { bandOf, groupOf, type Problem, readSuite, rowsOf } from '../../src/problems/suite';

const groups = readSuite(
  readFileSync(resolve('..', 'crates', 'lab', 'src', 'problems', 'problems.json'), 'utf8'),
);
const problems = groups.flatMap((group) => group.problems);

test('every problem has its group, its side and a solution', () => {
  assert.ok(problems.length >= 1000);
  for (const { id, fen, side, turn, solution } of problems) {
    assert.equal(fen.split(' ')[1], side[0], id);
    assert.deepEqual(Object.keys(solution), [turn], id);
  }
  assert.deepEqual(
    groups.map(({ id }) => id),
    [...new Set(problems.map(({ id }) => groupOf(id)))],
  );
  assert.ok(groups.some(({ title }) => title === 'Amazons 5×5'));
  assert.ok(groups.some(({ title }) => title === 'Iago'));
});

test('grades are words', () => {
  const of = (elo: number | null) => bandOf({ elo } as Problem).id;
  assert.deepEqual([0, 999, 1000, 1799, 1800, 2600, null].map(of), [
    'easy',
    'easy',
    'medium',
    'medium',
    'hard',
    'very-hard',
    'very-hard',
  ]);
});

test('a solution comes in rows, each a reply with its answer', () => {
  const rows = rowsOf({ a: { b: { c: { d: { e: {} } } }, f: { g: {} } } });
  assert.deepEqual(
    rows.map(({ path, turns, depth }) => [path.join(''), turns.join(''), depth]),
    [
      ['a', 'a', 0],
      ['abc', 'bc', 1],
      ['abcde', 'de', 2],
      ['afg', 'fg', 1],
    ],
  );
});

test('what is no file of problems is refused', () => {
  assert.throws(() => readSuite('{}'), /cannot be read/);
  const other = { format: 'hippolyta problems 1', problems: [{ id: 'x-1', variant: 'chess' }] };
  assert.throws(() => readSuite(JSON.stringify(other)), /no rule set chess/);
});
