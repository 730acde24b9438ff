import assert from 'node:assert/strict';
import { test } from 'node:test';
import { points, trialWords } from '../../src/game/verdicts';
import { reasonWords } from '../../src/review/reasons';
import { review } from '../../src/review/steps';
import { countsOf, lessonsOf, mistakesOf, nextPlace } from '../../src/review/words';
import { skip, TestEngine } from './engine';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('per cents are whole, and a small loss is not nothing', () => {
  assert.equal(plain(points(0.096)), '10%');
  assert.equal(plain(points(0.001)), 'under 1%');
  assert.equal(plain(points(0)), '0%');
});

type Kind = 'inaccuracy' | 'mistake' | 'blunder';

function verdict(ply: number, loss: number, kind?: Kind) {
  return {
    side: ply % 2 === 1 ? ('white' as const) : ('black' as const),
    ply,
    loss,
    ...(kind ? { kind } : {}),
  };
}
const game = [
  verdict(1, 0),
  verdict(2, 0.3, 'blunder'),
  verdict(3, 0.07, 'inaccuracy'),
  verdict(4, 0.02),
  verdict(5, 0.11, 'mistake'),
  verdict(6, 0.3, 'blunder'),
];

test('mistakes are sorted by cost or by turn, and filtered by side', () => {
  const plies = (found: { ply: number }[]) => found.map(({ ply }) => ply);
  assert.deepEqual(plies(mistakesOf(game, 'both', 'turn')), [2, 3, 5, 6]);
  assert.deepEqual(plies(mistakesOf(game, 'both', 'cost')), [2, 6, 5, 3]);
  assert.deepEqual(plies(mistakesOf(game, 'white', 'cost')), [5, 3]);
});

test('what was found is counted by kind', () => {
  const kinds = (['inaccuracy', 'mistake', 'blunder'] as const).map((name) => ({ name }));
  const found = [
    verdict(1, 0.06, 'inaccuracy'),
    verdict(2, 0.3, 'blunder'),
    verdict(4, 0.4, 'blunder'),
    verdict(6, 0),
  ];
  assert.equal(countsOf(found, kinds), '1 inaccuracy and 2 blunders');
  assert.equal(countsOf([], kinds), '');
});

test('a game has three lessons at most, the dearest first', () => {
  const mistake = (loss: number, about?: 'territory' | 'shutIn' | 'proof' | 'count') => ({
    loss,
    ...(about && { about }),
  });
  const lessons = lessonsOf([
    mistake(0.1, 'territory'),
    mistake(0.15, 'territory'),
    mistake(0.2, 'shutIn'),
    mistake(0.5, 'proof'),
    mistake(0.05, 'proof'),
    mistake(0.1, 'count'),
    mistake(0.9),
  ]);
  assert.deepEqual(
    lessons.map((words) => words.split(':')[0]),
    [
      '2 of these turns gave a decided result away',
      '2 of these turns were about squares that are closed off',
      '1 of these turns was about an amazon that is shut in',
    ],
  );
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
  const words = (loss: number, kind?: Kind, isBest = false) =>
    plain(trialWords({ loss, isBest, ...(kind ? { kind } : {}) }, 0.2));
  assert.equal(words(0, undefined, true), 'That is the best turn.');
  assert.equal(words(0.005), 'As good as the best.');
  assert.equal(words(0.03), 'Good: it loses only 3%.');
  assert.equal(words(0.12, 'mistake'), 'Better than in the game, but it still loses 12%.');
  assert.equal(words(0.2, 'blunder'), 'No better than in the game: it loses 20%.');
  assert.equal(words(0.4, 'blunder'), 'Worse than in the game: it loses 40%.');
});

test('a review searches, judges, searches after best turns where that is wanted, and judges again', async () => {
  const done: string[] = [];
  const first = ['2/4', 'search 2', 'keep 2', '3/4', 'search 3', 'keep 3', '4/4', 'judge'];
  const search = (words: string) => async (position: number) => {
    done.push(`${words} ${position}`);
    return () => void done.push(`keep ${position}`);
  };
  const steps = {
    open: [2, 3],
    done: 2,
    lanes: 1,
    goesOn: () => true,
    search: search('search'),
    judge: async () => (done.push('judge') > first.length ? [] : [1]),
    searchAfterBest: search('after'),
    report: (some: number, all: number) => void done.push(`${some}/${all}`),
  };
  await review(steps);
  assert.deepEqual(done, [...first, '4/5', 'after 1', 'keep 1', '5/5', 'judge']);
  // A result that comes after the review was stopped is not kept, and nothing more is searched.
  done.length = 0;
  await review({ ...steps, goesOn: () => !done.includes('search 2'), judge: async () => [] });
  assert.deepEqual(done, ['2/4', 'search 2']);
});

/** The engine's sentence as the page writes turns and halves. */
const asOnPage = (text: string) =>
  text
    .replace(/((?:[a-k]\d+){2,})(?:,[a-k]\d+([a-k]\d+))?/g, (_, way: string, fire?: string) => {
      const squares = way.match(/[a-k]\d+/g)!.join('–');
      return fire ? `${squares}/${fire}` : squares;
    })
    .replaceAll("'", '’');

test('in English the reasons of a mistake are the engine’s own words', { skip }, async () => {
  const engine = new TestEngine();
  const told = new Set<string>();
  for (const variant of ['amazons6', 'iago', 'damone'] as const) {
    const moves: string[] = [];
    const known = async (played: string[]) => {
      const { moveInfos, rootInfo } = await engine.ask({ variant, moves: played, nodes: 200 });
      const { winrate, result } = rootInfo;
      return { winrate, line: moveInfos[0]?.pv ?? [], ...(result && { result }) };
    };
    const positions = [];
    for (let ply = 0; ply < 30; ply += 1) {
      const { moves: legal } = await engine.ask({ action: 'legal_moves', variant, moves });
      if (legal.length === 0) break;
      const here = await known(moves);
      positions.push({ ...here, ...(here.line[0] && { afterBest: await known([...moves, here.line[0]]) }) });
      moves.push(legal[(ply * 7919 + 3) % legal.length]!);
    }
    positions.push(await known(moves));
    const judged = await engine.ask({ action: 'review', variant, moves: [...moves], positions });
    for (const { reasons = [], side } of judged.moves)
      for (const reason of reasons) {
        told.add(reason.kind);
        const words = reasonWords(reason, side);
        assert.equal(
          words.replace(/(\d*)½ turns?/g, (_, whole) => `${whole || 0}.5 turns`),
          asOnPage(reason.text),
        );
      }
  }
  engine.close();
  // What is counted at the end is sure late alone, in games that take long to search.
  for (const kind of ['shut in', 'flips', 'captures', 'reach', 'mobility'])
    assert.ok(told.has(kind), `${[...told]}`);
});
