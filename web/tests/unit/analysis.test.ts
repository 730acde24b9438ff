import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineArrows } from '../../src/analysis/arrows';
import { areaPath, graphRuns, linePath, plyToX, xToPly } from '../../src/analysis/graph';
import {
  leadWords,
  marginWords,
  ownershipMarks,
  range,
  regionLabels,
  stonesWords,
  territoryMarks,
} from '../../src/analysis/marks';
import { passed } from '../../src/analysis/threats';
import { arrowShape, shorten } from '../../src/board/arrows';
import { moveRows, turnNumber } from '../../src/game/moverows';
import { percent, provenWords, shares, shortNumber, standing, verdict } from '../../src/game/standing';
import { newTree, play, playOn } from '../../src/game/tree';
import type { MoveInfo, RegionInfo, Territory } from '../../src/protocol';
import type { Turn } from '../../src/turns';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('what the mover is told is turned to White’s view', () => {
  const said = { winrate: 0.75, wdl: [700, 100, 200] as [number, number, number] };
  assert.deepEqual(standing(said, 'white'), { white: 0.75, wdl: [700, 100, 200], proven: null });
  assert.deepEqual(standing(said, 'black'), { white: 0.25, wdl: [200, 100, 700], proven: null });
  const lost = {
    winrate: 0,
    wdl: [0, 0, 1000] as [number, number, number],
    result: { outcome: 'loss' as const, plies: 4 },
  };
  assert.deepEqual(standing(lost, 'black').proven, { outcome: 'white', plies: 4 });
});

test('words for standings', () => {
  const at = (white: number) => verdict({ white, wdl: [0, 0, 0], proven: null });
  assert.equal(at(0.51), 'About even');
  // All that reads 54% has the same words.
  for (const white of [0.536, 0.54, 0.544]) assert.equal(at(white), 'About even');
  assert.equal(at(0.546), 'White is slightly better');
  assert.equal(at(0.42), 'Black is slightly better');
  assert.equal(at(0.7), 'White is better');
  assert.equal(at(0.14), 'Black is much better');
  assert.equal(at(0.99), 'White is winning');
  assert.equal(provenWords({ outcome: 'white', plies: 9 }), 'White wins in 5 turns, proven');
  assert.equal(provenWords({ outcome: 'black', plies: 2 }), 'Black wins in 1 turn, proven');
  assert.equal(provenWords({ outcome: 'black', plies: 0 }), 'Black has won');
  assert.equal(provenWords({ outcome: 'draw', plies: null }), 'Draw, proven');
  const even = { white: 0.5, wdl: [300, 400, 300] as [number, number, number], proven: null };
  assert.equal(plain(shares(even, true)), 'White wins 30%, draw 40%, Black wins 30%');
  assert.equal(plain(shares(even, false)), 'White wins 30%, Black wins 30%');
  const close = { white: 0.465, wdl: [465, 0, 535] as [number, number, number], proven: null };
  assert.equal(plain(shares(close, false)), 'White wins 47%, Black wins 53%');
  const thirds = { white: 0.5, wdl: [333, 334, 333] as [number, number, number], proven: null };
  assert.equal(plain(shares(thirds, true)), 'White wins 33%, draw 34%, Black wins 33%');
});

test('what is not proven is not certain', () => {
  assert.equal(plain(percent(0.999)), 'over 99%');
  assert.equal(plain(percent(1, true)), '100%');
  assert.equal(plain(percent(0.004)), 'under 1%');
  assert.equal(shortNumber(20_001), '20 k');
  assert.equal(shortNumber(7_840_000), '7.8 M');
});

function info(order: number, turn: Turn, visits: number): MoveInfo {
  const { text, ...squares } = turn;
  return {
    order,
    move: text,
    visits,
    winrate: 0.5,
    wdl: [500, 0, 500],
    score: { cp: 0 },
    searchWinrate: 0.5,
    searchDraw: 0,
    pv: [text],
    turns: [squares],
  };
}

const CENTRAL: Turn = { text: 'd1d7,d7g7', path: ['d1', 'd7'], fire: 'g7' };
const LATERAL: Turn = { text: 'a4a6,a6b6', path: ['a4', 'a6'], fire: 'b6' };

test('arrows are numbered, the best one on top, as wide as it was looked at', () => {
  const arrows = lineArrows([info(0, CENTRAL, 100), info(1, LATERAL, 25)]);
  assert.deepEqual(
    arrows.map(({ label, kind }) => [label, kind]),
    [
      ['2', 'other'],
      ['1', 'best'],
    ],
  );
  assert.deepEqual(arrows[1]?.squares, ['d1', 'd7', 'g7']);
  assert.equal(arrows[0]?.weight, 0.5);
  // One line needs no number.
  assert.equal(lineArrows([info(0, { text: 'd1d7', path: ['d1', 'd7'] }, 1)])[0]?.label, '');
});

test('the shape of an arrow ends at its point', () => {
  assert.match(arrowShape({ x: 0, y: 0 }, { x: 100, y: 0 }, 10), /L100 0L/);
  assert.equal(arrowShape({ x: 5, y: 5 }, { x: 5, y: 5 }, 10), '');
  assert.deepEqual(shorten({ x: 0, y: 0 }, { x: 100, y: 0 }, 20), { x: 80, y: 0 });
  assert.deepEqual(shorten({ x: 0, y: 0 }, { x: 20, y: 0 }, 100), { x: 10, y: 0 });
});

test('the graph has gaps where nothing is known', () => {
  const runs = graphRuns([0.5, 1, null, 0], 300, 100);
  assert.deepEqual(
    runs.map((run) => run.map(({ x, y }) => [x, y])),
    [
      [
        [0, 50],
        [100, 0],
      ],
      [[300, 100]],
    ],
  );
  assert.equal(linePath(runs[0] ?? []), 'M0 50L100 0');
  assert.equal(areaPath(runs[0] ?? [], 100), 'M0 50L100 0L100 100L0 100Z');
  assert.equal(areaPath([], 100), '');
});

test('places in the graph and positions are each other’s inverse', () => {
  for (let ply = 0; ply < 7; ply += 1) assert.equal(xToPly(plyToX(ply, 7, 400), 7, 400), ply);
  assert.equal(xToPly(-50, 7, 400), 0);
  assert.equal(xToPly(999, 7, 400), 6);
  assert.equal(plyToX(0, 1, 400), 200);
});

const closed: RegionInfo = {
  owner: 'black',
  squares: ['a1', 'b1'],
  empty: 1,
  turns: { white: [0, 0], black: [1, 1] },
  worth: [-1, -1],
};
const open: RegionInfo = {
  owner: 'contested',
  squares: ['a2', 'b2'],
  empty: 2,
  turns: { white: [0, 2], black: [0, 2] },
  worth: [-2, 2],
};
const territory: Territory = {
  regions: [closed, open],
  turnsLeft: { white: [0, 2], black: [1, 3] },
  margin: null,
  winner: null,
};

test('ownership is drawn from White’s view, and what is settled is told apart', () => {
  // Ranks from the top: a2 b2, then a1 b1; an amazon of Black's is on b1.
  const marks = ownershipMarks([1, -0.5, 1, null], 'black', { width: 2, height: 2 }, territory);
  assert.deepEqual(marks, [
    { square: 'a2', owner: -1, settled: false },
    { square: 'b2', owner: 0.5, settled: false },
    { square: 'a1', owner: -1, settled: true },
  ]);
  assert.deepEqual(ownershipMarks([0.01, 0, null, null], 'white', { width: 2, height: 2 }, undefined), []);
});

test('regions are labelled where something is counted', () => {
  const occupied = new Map([['b1', 'q']]);
  assert.deepEqual(territoryMarks(territory, occupied), [{ square: 'a1', owner: -1, settled: true }]);
  assert.deepEqual(regionLabels(territory, occupied), [{ square: 'a1', text: '1', owner: -1 }]);
  const narrowed = { ...territory, regions: [{ ...open, worth: [-1, 2] as [number, number] }] };
  assert.deepEqual(regionLabels(narrowed, occupied), [{ square: 'a2', text: '−1 to +2', owner: 0 }]);
});

test('margins in words', () => {
  assert.equal(range([3, 5]), '3 to 5');
  assert.equal(leadWords(1.04, 'white'), 'White is expected to end 1 turn ahead.');
  assert.equal(leadWords(2.46, 'black'), 'Black is expected to end 2.5 turns ahead.');
  assert.equal(leadWords(-0.04, 'black'), 'Neither side is expected to be ahead.');
  assert.equal(marginWords(3.5, 'white'), 'White leads by 3½ turns');
  assert.equal(marginWords(0.5, 'black'), 'Black leads by ½ turn');
  assert.equal(marginWords(-92.5, 'black'), 'White leads by 92½ turns');
  const count = { white: 1, black: 1, neutral: 0 };
  const stones = { now: count, final: count, expectedMargin: 1.04 };
  assert.equal(stonesWords(stones, 'black'), 'Black is expected to end 1 stone ahead.');
});

test('threats want the other side to move', () => {
  const position = { files: 2, ranks: 2, pieces: '.qQ.', moveOnly: false, quiet: 0, number: 3 };
  assert.equal(passed({ ...position, side: 'white' }), '1q/Q1 b - - 0 3');
  assert.equal(passed({ ...position, side: 'black' }), '1q/Q1 w - - 0 3');
  // The first turn of the Desdemona family is no turn of the other side.
  assert.equal(passed({ ...position, side: 'white', moveOnly: true }), null);
});

test('a list of turns has two columns, variations below what they replace', () => {
  const tree = newTree('amazons6', null, 'x');
  const first = play(tree, tree.root, 'a');
  const second = play(tree, first, 'b');
  const third = play(tree, second, 'c');
  const other = play(tree, tree.root, 'z');
  const start = { mover: 'white', number: 1 } as const;
  assert.deepEqual(moveRows(tree.root, start), [
    { kind: 'turns', number: 1, white: first, black: null },
    { kind: 'variations', lines: [other] },
    { kind: 'turns', number: 1, white: null, black: second },
    { kind: 'turns', number: 2, white: third, black: null },
  ]);
  second.comment = 'why?';
  const rows = moveRows(tree.root, { mover: 'black', number: 4 });
  assert.deepEqual(rows[0], { kind: 'turns', number: 4, white: null, black: first });
  assert.deepEqual(rows[2], { kind: 'turns', number: 5, white: second, black: null });
  assert.deepEqual(rows[3], { kind: 'comment', node: second });
  assert.deepEqual(turnNumber(third, start), { number: 2, side: 'white' });
  assert.deepEqual(turnNumber(third, { mover: 'black', number: 4 }), { number: 5, side: 'black' });
});

test('the game goes on in the main line, whatever was tried there before', () => {
  const tree = newTree('amazons6', null, 'x');
  const tried = play(tree, tree.root, 'a');
  const played = playOn(tree, tree.root, 'b');
  assert.deepEqual(tree.root.children, [played, tried]);
  assert.equal(playOn(tree, tree.root, 'a'), tried);
  assert.deepEqual(tree.root.children, [tried, played]);
});
