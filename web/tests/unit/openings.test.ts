// The explorer of openings, in all rule sets: the page finds the positions that the program has written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import {
  type Counted,
  countsIn,
  formOf,
  type Openings,
  playedFrom,
  readOpenings,
  waysOf,
} from '../../src/explorer/openings';
import { games, type VariantId } from '../../src/games';
import { type BoardView, viewOf } from '../../src/squares';
import { TurnIndex } from '../../src/turns';
import { skip, TestEngine } from './engine';

const NONE: Counted = new Map();

function played(known: Openings[VariantId], view: BoardView, legal: TurnIndex, own = NONE) {
  const form = formOf(view, waysOf(known, view));
  return playedFrom(form, legal, countsIn(known, form), own);
}

const openings = readOpenings(
  readFileSync(resolve('..', 'crates', 'lab', 'src', 'arena', 'explorer.json'), 'utf8'),
);

test('all games are found at the start, and their turns below it', { skip }, async () => {
  const engine = new TestEngine();
  for (const { id, family } of games) {
    const known = openings[id];
    assert.ok(known, id);
    const moves: string[] = [];
    let before = known.games;
    for (let ply = 0; ply < 8; ply += 1) {
      const told = await engine.ask({
        action: 'legal_moves',
        variant: id,
        ...(moves.length > 0 ? { moves: [...moves] } : {}),
        includePosition: true,
        includeTurns: true,
      });
      const turns = played(known, viewOf(told.position!), new TurnIndex(told));
      // Positions of one game are not in the file.
      if (turns.length === 0) break;
      const all = turns.reduce((sum, { games: count }) => sum + count, 0);
      // Other turns lead to the same position, in Damone back to the start.
      if (ply === 0 && family !== 'damone') assert.equal(all, before, id);
      else assert.ok(all >= before, `${id} after ${moves.join(' ')}: ${all} of ${before}`);
      before = turns[0]!.games;
      moves.push(turns[0]!.turn.text);
    }
  }
  engine.close();
});

test('a board of another size, or without games, has none', () => {
  const { position } = games.find(({ id }) => id === 'amazons8')!;
  assert.deepEqual(played(openings.amazons, viewOf(position), new TurnIndex({ moves: [] })), []);
  assert.deepEqual(played(undefined, viewOf(position), new TurnIndex({ moves: [] })), []);
  assert.throws(() => readOpenings('{"format":"else"}'), /cannot be read/);
});
