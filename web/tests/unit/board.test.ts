// The drawing of the board: geometry, the half-entered turn, which piece is which, what moves and when, and the keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals';
import { TurnEntry } from '../../src/board/entry';
import { protectedSquares } from '../../src/board/Ground';
import { centre, neighbour, squareAt } from '../../src/board/geometry';
import { expected, halfTurn } from '../../src/board/half';
import { leadsTo, nextOf } from '../../src/board/keys';
import { isFollowable, motions, schedule } from '../../src/board/motion';
import { type Tracked, track } from '../../src/board/track';
import { gameOf, games, isVariant } from '../../src/games';
import { readFen } from '../../src/package/fen';
import type { TurnInfo } from '../../src/protocol';
import { type BoardView, isDark, squaresOf, viewOf, writeFen } from '../../src/squares';
import { shortForm, type Turn, TurnIndex } from '../../src/turns';
import { boardOf } from './boards';

const SMALL: BoardView = boardOf('2q/3/Q2 w - - 0 1');
const LARGE: BoardView = boardOf('11/11/11/11/11/11/11/11/11/11/Q10 w - - 0 1');

function ids(from = 0): () => number {
  let last = from;
  return () => {
    last += 1;
    return last;
  };
}

function place(fen: string, before: readonly Tracked[] = [], first = 0): Tracked[] {
  return track(before, boardOf(fen).pieces, ids(first));
}

function where(pieces: readonly Tracked[], id: number): string | undefined {
  return pieces.find((piece) => piece.id === id)?.square;
}

test('every square has its own middle and is found there, from both sides', () => {
  for (const view of [SMALL, LARGE]) {
    for (const bottom of ['white', 'black'] as const) {
      const squares = squaresOf(view.width, view.height);
      const middles = new Set(squares.map((square) => JSON.stringify(centre(square, view, bottom))));
      assert.equal(middles.size, squares.length);
      for (const square of squares)
        assert.equal(squareAt(centre(square, view, bottom), view, bottom), square);
    }
  }
  assert.equal(squareAt({ x: -1, y: 50 }, SMALL, 'white'), null);
  assert.equal(squareAt({ x: 50, y: 301 }, SMALL, 'white'), null);
  assert.deepEqual(centre('a1', SMALL, 'white'), { x: 50, y: 250 });
  assert.deepEqual(centre('a1', SMALL, 'black'), { x: 250, y: 50 });
});

test('a1 is dark as in chess, but on the boards of Damone every piece stands on a dark square', () => {
  assert.equal(isDark('a1', false), true);
  assert.equal(isDark('h1', true), true);
  for (const { fires, position } of games) {
    if (fires) continue;
    for (const square of viewOf(position).pieces.keys()) assert.ok(isDark(square, true), square);
  }
});

test('a turn is read in its short form', () => {
  for (const [turn, short] of [
    ['a2d5,d5e4', 'a2–d5/e4'],
    ['d1d10,d10d1', 'd1–d10/d1'],
    ['c2e4g6', 'c2–e4–g6'],
    ['d1d2', 'd1–d2'],
  ] as const)
    assert.equal(shortForm(turn), short);
});

test('keys stop at the edge and follow the screen on a turned board', () => {
  assert.equal(neighbour('a1', -1, 0, SMALL, 'white'), 'a1');
  assert.equal(neighbour('a1', 1, -1, SMALL, 'white'), 'b2');
  const press = (key: string, from: string, bottom: 'white' | 'black' = 'white', ctrlKey = false) =>
    leadsTo({ key, ctrlKey }, from, SMALL, bottom);
  assert.equal(press('ArrowUp', 'b2'), 'b3');
  assert.equal(press('ArrowUp', 'b2', 'black'), 'b1');
  assert.equal(press('ArrowLeft', 'b2', 'black'), 'c2');
  assert.equal(press('Home', 'b2'), 'a2');
  assert.equal(press('End', 'b2'), 'c2');
  assert.equal(press('Home', 'b2', 'white', true), 'a3');
  assert.equal(press('End', 'b2', 'white', true), 'c1');
  assert.equal(press('PageUp', 'b2'), 'b3');
  assert.equal(press('PageDown', 'b2', 'black'), 'b3');
  assert.equal(press('x', 'b2'), null);
});

test('the next choice comes in the order of reading, and round again', () => {
  const squares = new Set(['c1', 'a3', 'b3']);
  assert.equal(nextOf(squares, 'a1', false, 'white'), 'c1');
  assert.equal(nextOf(squares, 'a3', false, 'white'), 'b3');
  assert.equal(nextOf(squares, 'c1', false, 'white'), 'a3');
  assert.equal(nextOf(squares, 'a3', true, 'white'), 'c1');
  assert.equal(nextOf(squares, 'a1', false, 'black'), 'b3');
  assert.equal(nextOf(new Set(), 'a1', false, 'white'), null);
});

test('a half-entered turn shows the piece on its new square', () => {
  const { pieces } = SMALL;
  assert.equal(halfTurn(pieces, []), pieces);
  assert.equal(halfTurn(pieces, ['a1']), pieces);
  assert.deepEqual([...halfTurn(pieces, ['a1', 'b2'])].sort(), [
    ['b2', 'Q'],
    ['c3', 'q'],
  ]);
});

test('an unconfirmed turn is drawn as far as the squares say', () => {
  assert.equal(
    writeFen(expected(SMALL, { path: ['a1', 'a3'], fire: 'a1' }, gameOf('amazons'))),
    'Q1q/3/*2 b - - 0 1',
  );
  const damone = boardOf('8/8/8/5d2/8/3d4/2D5/8 w - - 0 1');
  const capture: TurnInfo = { path: ['c2', 'e4', 'g6'], captured: ['d3', 'f5'] };
  assert.equal(writeFen(expected(damone, capture, gameOf('damone'))).split(' ')[0], '8/8/6D1/8/8/8/8/8');
  // Whose stone a shot leaves is the engine's to say.
  const cassio = expected(boardOf('3/3/Q1q w - - 0 1'), { path: ['a1', 'a3'], fire: 'b3' }, gameOf('cassio'));
  assert.equal(writeFen(cassio).split(' ')[0], 'Q2/3/2q');
});

test('pieces keep their identity through a turn, and others do not take it', () => {
  const before = place('2q/3/Q1Q w - - 0 1');
  const moved = place('2q/1Q1/*1Q b - - 0 1', before, 10);
  const queen = before.find(({ square }) => square === 'a1')!;
  assert.equal(where(moved, queen.id), 'b2');
  assert.equal(where(moved, before.find(({ square }) => square === 'c1')!.id), 'c1');
  assert.equal(moved.filter(({ letter }) => letter === '*').length, 1);
  const back = place('2q/3/Q1Q w - - 0 1', moved, 20);
  assert.equal(where(back, queen.id), 'a1');
  // An arrow never turns into a piece elsewhere.
  const arrows = place('*2/3/Q2 w - - 0 1');
  const other = place('2*/3/Q2 w - - 0 1', arrows, 10);
  assert.notEqual(
    other.find(({ letter }) => letter === '*')!.id,
    arrows.find(({ letter }) => letter === '*')!.id,
  );
});

test('a pedina that becomes a dama is the same piece', () => {
  const before = place('8/3P4/8/8/8/8/8/8 w - - 0 1');
  const after = place('2D5/8/8/8/8/8/8/8 b - - 0 1', before, 10);
  assert.equal(after[0]!.id, before[0]!.id);
});

test('a turn glides, then fires, then turns stones over', () => {
  const before = place('3/1s1/Q2 w - - 0 1');
  const after = place('2S/1S1/1Q1 b - - 0 1', before, 10);
  const all = motions(before, after, ['a1', 'b1', 'c3']);
  assert.deepEqual(all.map(({ kind }) => kind).sort(), ['flip', 'fly', 'glide']);
  const moments = new Map(schedule(all).map((moment) => [moment.motion.kind, moment]));
  const end = (kind: 'glide' | 'fly') => moments.get(kind)!.begin + moments.get(kind)!.duration;
  assert.equal(moments.get('glide')!.begin, 0);
  assert.equal(moments.get('fly')!.begin, end('glide'));
  assert.equal(moments.get('flip')!.begin, end('fly'));
  const fly = moments.get('fly')!.motion;
  assert.equal(fly.kind === 'fly' && fly.from, 'b1');
  // A motion that still runs is waited for, but not for long.
  const shot = all.filter(({ kind }) => kind === 'fly');
  assert.equal(schedule(shot, 100)[0]!.begin, 100);
  assert.equal(schedule(shot, 5000)[0]!.begin, 400);
  assert.equal(schedule(shot, -50)[0]!.begin, 0);
});

test('a capture goes jump by jump, and what was jumped fades', () => {
  const before = place('8/8/8/5p2/8/3p4/2D5/8 w - - 0 1');
  const after = place('8/8/6D1/8/8/8/8/8 b - - 0 1', before, 10);
  const all = motions(before, after, ['c2', 'e4', 'g6']);
  const glide = all.find(({ kind }) => kind === 'glide');
  assert.deepEqual(glide?.kind === 'glide' && glide.way, ['c2', 'e4', 'g6']);
  assert.equal(all.filter(({ kind }) => kind === 'fade').length, 2);
  assert.ok(isFollowable(all));
});

test('a leap to another place in the game moves nothing', () => {
  const before = place('3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1');
  const after = place('10/1q1q6/10/5q3q/10/4Q5/1Q6Q1/10/2*3*3/4Q4* w - - 0 9', before, 20);
  assert.equal(isFollowable(motions(before, after, [])), false);
});

/** Turns that fire, of squares with two characters. */
function firing(...moves: string[]): TurnIndex {
  const turn = (text: string): TurnInfo => ({
    path: [text.slice(0, 2), text.slice(2, 4)],
    fire: text.slice(7, 9),
  });
  return new TurnIndex({ moves, turns: moves.map(turn) });
}

test('what is jumped over is known while a capture is being entered', () => {
  const long: TurnInfo = { path: ['c2', 'e4', 'g6'], captured: ['d3', 'f5'] };
  const other: TurnInfo = { path: ['c2', 'e4', 'g2'], captured: ['d3', 'f3'] };
  const index = new TurnIndex({ moves: ['c2e4g6', 'c2e4g2'], turns: [long, other] });
  assert.deepEqual(index.choices(['c2']).taken, []);
  assert.deepEqual(index.choices(['c2', 'e4']).taken, ['d3']);
  assert.deepEqual(index.choices(['c2', 'e4', 'g6']).complete, { text: 'c2e4g6', ...long });
  assert.equal(index.find('C2xE4xG2')?.text, 'c2e4g2');
  assert.equal(index.find('c2xe4'), null);
});

test('any piece that reaches a square may be chosen to fire there', () => {
  const turn: TurnInfo = { path: ['a1', 'a1'], fire: 'b1', others: ['d1'] };
  const index = new TurnIndex({ moves: ['a1a1,a1b1'], turns: [turn] });
  for (const from of ['a1', 'd1']) {
    assert.deepEqual([...index.choices([from]).next], [from]);
    assert.equal(index.choices([from, from, 'b1']).complete?.text, 'a1a1,a1b1');
  }
  assert.equal(index.find('d1d1,d1b1')?.text, 'a1a1,a1b1');
  assert.equal(index.beginning([]).length, 1);
});

test('squares that no fire may land on are known by the side whose fire that is', () => {
  const rules = { ...gameOf('amazons6'), protectedFromWhite: ['c1', 'd6'], protectedFromBlack: ['d6', 'a2'] };
  const found = protectedSquares(rules);
  assert.deepEqual(found, [
    ['c1', 'white'],
    ['d6', 'both'],
    ['a2', 'black'],
  ]);
  assert.deepEqual(protectedSquares(gameOf('amazons6')), []);
});

test('a turn is entered square by square; elsewhere takes it back; a new position ends it', () => {
  const turns = signal<TurnIndex | null>(null);
  const played: Turn[] = [];
  const entry = new TurnEntry(turns, (turn) => played.push(turn));
  entry.choose('a1');
  assert.deepEqual(entry.path.value, [], 'while the legal turns are not known nothing can be chosen');
  turns.value = firing('a1a2,a2a3', 'a1a2,a2a1', 'a1b1,b1b2', 'c1c2,c2c3');
  entry.choose('a1');
  assert.deepEqual([...entry.choices.value.next].sort(), ['a2', 'b1']);
  entry.choose('a2');
  assert.deepEqual([...entry.choices.value.next].sort(), ['a1', 'a3'], 'only the chosen way');
  assert.equal(entry.undo(), true);
  assert.deepEqual(entry.path.value, ['a1']);
  entry.choose('a2');
  entry.choose('c1');
  assert.deepEqual(entry.path.value, ['c1'], 'another own piece begins another turn');
  entry.choose('b3');
  assert.deepEqual(entry.path.value, [], 'an empty square elsewhere takes the half-turn back');
  entry.choose('a1');
  turns.value = firing('c1c2,c2c3');
  assert.deepEqual(entry.path.value, []);
  for (const square of ['c1', 'c2', 'c3']) entry.choose(square);
  assert.deepEqual(played, [{ text: 'c1c2,c2c3', path: ['c1', 'c2'], fire: 'c3' }]);
  assert.deepEqual(entry.path.value, []);
  assert.equal(entry.undo(), false);
});

const VECTORS = Object.values(
  import.meta.glob<string>('../../../tests/vectors/*.positions.jsonl', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

test('the FENs that the engine writes are read, and written as it does', () => {
  const lines = VECTORS.flatMap((text) => text.trim().split('\n'));
  const positions = lines.map((line) => JSON.parse(line) as { variant: string; fen: string });
  const known = positions.flatMap(({ variant, fen }) => (isVariant(variant) ? [{ variant, fen }] : []));
  assert.ok(known.length > 1000);
  for (const { variant, fen } of known) assert.equal(writeFen(readFen(fen, gameOf(variant))), fen);
});
