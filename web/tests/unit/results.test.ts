// How games against the engine are counted.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Match, Player, Setup } from '../../src/game/store';
import { newTree } from '../../src/game/tree';
import { gameOf, type VariantId } from '../../src/games';
import { resultsIn } from '../../src/history/results';
import type { Outcome } from '../../src/protocol';

const human: Player = { kind: 'human' };
const engine = (level: string): Player => ({ kind: 'engine', level });

function ended(variant: VariantId, white: Player, black: Player, winner: Outcome | null, more = {}): Match {
  const setup: Setup = {
    variant,
    start: null,
    players: { white, black },
    control: null,
    movetime: 1000,
    ...more,
  };
  const tree = newTree(variant, setup.start, setup.start ?? gameOf(variant).start);
  return { tree, setup, ending: winner && { winner, reason: 'recorded' }, tip: tree.root };
}

test('games against the engine are counted by rule set and level', () => {
  const rows = resultsIn([
    ended('damone', human, engine('club'), 'draw'),
    ended('amazons6', human, engine('club'), 'white'),
    ended('amazons6', engine('club'), human, 'white'),
    ended('amazons6', engine('club'), human, 'black'),
    ended('amazons6', human, engine('beginner'), 'white'),
    // These say nothing of a level.
    ended('amazons6', human, human, 'white'),
    ended('amazons6', engine('club'), engine('club'), 'white'),
    ended('amazons6', human, engine('club'), null),
    ended('amazons6', human, engine('club'), 'white', { start: '1q4/6/6/6/6/4Q1 w - - 0 1' }),
  ]);
  assert.deepEqual(rows, [
    { variant: 'amazons6', level: 'beginner', won: 1, drawn: 0, lost: 0 },
    { variant: 'amazons6', level: 'club', won: 2, drawn: 0, lost: 1 },
    { variant: 'damone', level: 'club', won: 0, drawn: 1, lost: 0 },
  ]);
});
