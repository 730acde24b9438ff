// The explorer of openings, in all rule sets: the page finds the positions that the program has written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'node:test';
import { playedFrom, readOpenings } from '../../src/explorer/openings';
import { games } from '../../src/games';
import { viewOf } from '../../src/squares';
import { TurnIndex } from '../../src/turns';
import { skip, TestEngine } from './engine';

const openings = readOpenings(
  readFileSync(resolve('..', 'crates', 'lab', 'src', 'arena', 'explorer.json'), 'utf8'),
);

test('all games are found at the start, and their turns below it', { skip }, async () => {
  const engine = new TestEngine();
  for (const { id } of games) {
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
      const played = playedFrom(known, viewOf(told.position!), new TurnIndex(told));
      const all = played.reduce((sum, { games: count }) => sum + count, 0);
      // Other turns lead to the same position.
      if (ply === 0) assert.equal(all, before, id);
      else assert.ok(all >= before, `${id} after ${moves.join(' ')}: ${all} of ${before}`);
      before = played[0]!.games;
      moves.push(played[0]!.turn.text);
    }
  }
  engine.close();
});

test('a board of another size, or without games, has none', () => {
  const { position } = games.find(({ id }) => id === 'amazons8')!;
  assert.deepEqual(playedFrom(openings.amazons, viewOf(position), new TurnIndex({ moves: [] })), []);
  assert.deepEqual(playedFrom(undefined, viewOf(position), new TurnIndex({ moves: [] })), []);
  assert.throws(() => readOpenings('{"format":"else"}'), /cannot be read/);
});
