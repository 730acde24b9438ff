import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, amounts } from '../../src/analysis/marks';
import { tagsOf } from '../../src/formats/record';
import type { Ending, Setup } from '../../src/game/store';
import { newTree } from '../../src/game/tree';

test('margins are counted in halves of a turn and in stones', () => {
  assert.equal(amount(12.5, 'turns'), '12½ turns');
  assert.equal(amount(1.5, 'turns'), '1½ turns');
  assert.equal(amount(0.5, 'turns'), '½ turn');
  assert.equal(amounts([-9.5, -0.5], 'turns'), '½ to 9½ turns');
  assert.equal(amount(1, 'stones'), '1 stone');
  assert.equal(amount(8, 'stones'), '8 stones');
});

test('records keep how a game was ended, and by how much it was won', () => {
  const tree = newTree('amazons', null, '');
  const human = { kind: 'human' } as const;
  const players = { white: human, black: human };
  const setup: Setup = { variant: 'amazons', start: null, players, control: null, movetime: 1000 };
  const told = (ending: Ending) => {
    const { Result, Termination, Margin } = tagsOf({ tree, setup, ending, tip: tree.root });
    return [Result, Termination, Margin];
  };
  assert.deepEqual(told({ winner: 'black', reason: 'decided', margin: -0.5 }), ['0-1', 'exact', '-0.5']);
  assert.deepEqual(told({ winner: 'white', reason: 'decided', margin: 3 }), ['1-0', 'exact', '+3']);
  assert.deepEqual(told({ winner: 'draw', reason: 'decided' }), ['1/2-1/2', 'exact', undefined]);
  assert.deepEqual(told({ winner: 'white', reason: 'resigned' }), ['1-0', 'resignation', undefined]);
});
