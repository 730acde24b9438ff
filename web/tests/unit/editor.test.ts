import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clear, exchange, mirror, move, put, resize, startOf, variantFor } from '../../src/editor/model';
import { gameOf, games } from '../../src/games';
import { isDark, writeFen } from '../../src/squares';
import { boardOf } from './boards';

test('pieces are put, moved and taken away', () => {
  let view = boardOf('3/3/3 w');
  view = put(view, 'a1', 'Q');
  view = put(view, 'c3', 'q');
  view = move(view, 'a1', 'b2');
  assert.equal(writeFen(view), '2q/1Q1/3 w - - 0 1');
  assert.equal(writeFen(move(view, 'a1', 'c3')), '2q/1Q1/3 w - - 0 1', 'an empty square moves nothing');
  assert.equal(writeFen(move(view, 'b2', 'c3')), '2Q/3/3 w - - 0 1');
  assert.equal(writeFen(move(view, 'b2', 'b2')), writeFen(view));
  assert.equal(writeFen(clear(put(view, 'b2', null))), '3/3/3 w - - 0 1');
});

test('a smaller board drops what does not fit, a larger one has room at the right and at the top', () => {
  const view = boardOf('Q2/3/2q w');
  assert.equal(writeFen(resize(view, 2, 3)), 'Q1/2/2 w - - 0 1');
  assert.equal(writeFen(resize(view, 11, 4)), '11/Q10/11/2q8 w - - 0 1');
});

test('mirror and exchange done twice change nothing, and Damone stays on dark squares', () => {
  for (const rules of games) {
    const { id } = rules;
    const view = { ...startOf(id), side: 'black' as const };
    assert.equal(writeFen(mirror(mirror(view, rules), rules)), writeFen(view), id);
    assert.equal(writeFen(exchange(exchange(view))), writeFen(view), id);
    if (rules.fires) continue;
    for (const [square, letter] of [...mirror(view, rules).pieces, ...exchange(view).pieces])
      assert.ok(isDark(square, true), `${id}: ${letter} on ${square}`);
    assert.equal(mirror(view, rules).pieces.get('h1'), view.pieces.get('h1'));
    assert.equal(exchange(view).pieces.get('h1'), view.pieces.get('h1'));
  }
  assert.equal(writeFen(mirror(boardOf('Q2/3/1q1 w'), gameOf('amazons'))), '2Q/3/1q1 w - - 0 1');
  assert.equal(writeFen(exchange(boardOf('Q2/3/1q* w'))), '*Q1/3/2q b - - 0 1');
});

test('boards of the Amazons go by the name of their size', () => {
  assert.equal(variantFor('amazons', boardOf('6/6/6/6/6/6 w')), 'amazons6');
  assert.equal(variantFor('amazons6', boardOf('5/5/5 w')), 'amazons');
  assert.equal(variantFor('iago', startOf('iago')), 'iago');
});
