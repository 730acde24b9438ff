import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { linksIn, readLink, rulesOfLink, writeLink } from '../../src/formats/link';
import { recordOf, treeOf } from '../../src/formats/record';
import { toggled, withWords, wordsIn } from '../../src/game/drawn';
import { type GameNode, type GameTree, lastOf, newTree, play, turnsTo } from '../../src/game/tree';
import { gameOf, isOwn, isVariant, sizesOf, type VariantId } from '../../src/games';
import { know } from '../../src/own';
import { skip, TestEngine } from './engine';

let engine: TestEngine;
before(() => {
  if (!skip) engine = new TestEngine();
});
after(() => {
  if (!skip) engine.close();
});

/** As in a link, where no square stands twice. */
const inLink = (turn: string) => turn.replace(/,[a-k]\d+/, '');

/** A line of turns with variations, for comparing. Links have no comma in a turn. */
function shape(node: GameNode, comments = true): unknown {
  return {
    turn: inLink(node.turn),
    ...(comments ? { comment: node.comment } : {}),
    children: node.children.map((child) => shape(child, comments)),
  };
}

const plain = (node: GameNode) => JSON.stringify(shape(node, false)).replace(/[^\w[\]{}]/g, '');

const mainLine = (tree: GameTree) => turnsTo(lastOf(tree.root));

/** A game by chance against the real rules, with variations, comments and awkward letters. */
async function playSome(variant: VariantId, plies: number, seed: number): Promise<GameTree> {
  const tree = newTree(variant, null, gameOf(variant).start);
  tree.tags = { White: 'Ann "A" \\ B', Black: 'Bob]' };
  tree.root.comment = 'Start [of] the game (really)';
  const random = generator(seed);
  let at = tree.root;
  for (let ply = 0; ply < plies; ply += 1) {
    const ask = (moves: string[]) => engine.ask({ action: 'legal_moves', variant, moves });
    const { moves } = await ask(turnsTo(at));
    if (moves.length === 0) break;
    const pick = () => moves[Math.floor(random() * moves.length)]!;
    const next = play(tree, at, pick());
    if (ply % 5 === 2) next.comment = `Turn ${ply}: a \\ b ] c } d; e\nsecond line`;
    const other = pick();
    if (ply % 4 === 1 && other !== next.turn) {
      const variation = play(tree, at, other);
      variation.comment = 'or this';
      const [first, second] = (await ask(turnsTo(variation))).moves;
      if (first) play(tree, variation, first);
      if (second) play(tree, variation, second).comment = 'nested';
    }
    at = next;
  }
  return tree;
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** All nodes in the order of writing. */
function* nodesOf(node: GameNode): Generator<GameNode> {
  for (const child of node.children) {
    yield child;
    yield* nodesOf(child);
  }
}

test('a game with variations and comments is the same after each format', { skip }, async () => {
  for (const variant of ['amazons', 'amazons6', 'desdemona', 'iago', 'damone'] as const) {
    const tree = await playSome(variant, 24, 7);
    const whole = shape(tree.root);
    for (const format of ['pgn', 'sgf', 'jsonl'] as const) {
      const { text } = await engine.ask({ action: 'write_game', format, record: recordOf(tree) });
      const { games, warnings } = await engine.ask({ action: 'read_games', text });
      assert.deepEqual([games.length, warnings], [1, []], `${format} ${variant}`);
      const again = treeOf(games[0]!.record);
      assert.deepEqual(shape(again.root), whole, `${format} ${variant}`);
      assert.deepEqual([again.variant, again.start], [variant, null]);
      assert.deepEqual([again.tags?.White, again.tags?.Black], [tree.tags?.White, tree.tags?.Black]);
    }
    const shown = [...nodesOf(tree.root)][9]!;
    const link = readLink(`#${writeLink(tree, shown).fragment}`)!;
    assert.deepEqual(shape(link.tree.root, false), shape(tree.root, false), `link ${variant}`);
    assert.deepEqual(link.shown.turn, inLink(shown.turn));
    const text = JSON.stringify(recordOf(link.tree));
    const { games, warnings } = await engine.ask({ action: 'read_games', text });
    assert.deepEqual(warnings, []);
    assert.equal(plain(treeOf(games[0]!.record).root), plain(tree.root), `checked ${variant}`);
  }
});

test('a game by rules of one’s own is the same after each format and by link, and both bring the rules', {
  skip,
}, async () => {
  const rules =
    '[trail]\ntitle = "It\'s a \\"trail\\" \\\\ 1"\nstart = "q4/5/4Q w"\nmoves = "K"\nfire-at = "left"\nfire-optional = true\n';
  const [info] = know(rules, (await engine.ask({ action: 'variants', rules })).variants);
  const variant = info!.line;
  assert.deepEqual(
    [isVariant(variant), isOwn(variant), gameOf(variant).title],
    [true, true, 'It\'s a "trail" \\ 1'],
  );
  assert.match(gameOf(variant).rules, /^A turn moves a piece as a king/);
  assert.deepEqual(sizesOf(variant), [gameOf(variant)]);
  const tree = await playSome(variant, 12, 5);
  for (const format of ['pgn', 'sgf', 'jsonl'] as const) {
    const { text } = await engine.ask({ action: 'write_game', format, record: recordOf(tree) });
    const { games, warnings } = await engine.ask({ action: 'read_games', text });
    assert.deepEqual([games.length, warnings], [1, []], format);
    const again = treeOf(games[0]!.record);
    assert.deepEqual([again.variant, shape(again.root)], [variant, shape(tree.root)], format);
  }
  const { fragment } = writeLink(tree, tree.root);
  assert.match(fragment, /^[\w%.&=~-]+$/);
  assert.equal(rulesOfLink(`#${fragment}`), variant);
  const link = readLink(`#${fragment}`)!;
  assert.deepEqual([link.tree.variant, shape(link.tree.root, false)], [variant, shape(tree.root, false)]);
  assert.equal(rulesOfLink('#v=amazons6&m=b1b4c4'), '');
});

test('what an engine said of its turns, and numbers of a match, come back as they were', {
  skip,
}, async () => {
  const text = `[Event "?"]
[Round "5"]
[White "a"]
[Black "b"]
[Result "1-0"]
[Variant "amazons6"]
[Game "5"]
[Margin "+3"]
[Opening "1"]
[Termination "time"]

1. b1b4,b4c4 {book} e6e3,e3c3 {+0.53/4 0.012s, tl=9.900s, n=20} {good}
2. e1e2,e2d1 {-M2/3 0.002s} a5a4,a4a5 {- 0.000s, n=1} 1-0
`;
  const { games, warnings } = await engine.ask({ action: 'read_games', text });
  assert.deepEqual(warnings, []);
  const tree = treeOf(games[0]!.record);
  const [first, second] = [tree.root.children[0]!, tree.root.children[0]!.children[0]!];
  assert.deepEqual([first.comment, second.comment], ['book', '+0.53/4 0.012s, tl=9.900s, n=20\ngood']);
  const written = await engine.ask({ action: 'write_game', format: 'pgn', record: recordOf(tree) });
  const again = await engine.ask({ action: 'read_games', text: written.text });
  assert.deepEqual(again.games[0]!.record, games[0]!.record);
});

test('a link of 80 turns has less than 2,000 characters', { skip }, async () => {
  const tree = await playSome('amazons', 80, 3);
  for (let at: GameNode | undefined = tree.root; at; at = at.children[0]) at.children.splice(1);
  const turns = mainLine(tree);
  assert.ok(turns.length > 60);
  const { fragment, whole } = writeLink(tree, lastOf(tree.root));
  assert.ok(whole && fragment.length < 700, String(fragment.length));
});

test('a game with too many variations for a link goes as the line that is shown', { skip }, async () => {
  const tree = newTree('amazons', null, gameOf('amazons').start);
  const { moves } = await engine.ask({ action: 'legal_moves', variant: 'amazons' });
  for (const turn of moves) play(tree, tree.root, turn);
  const shown = tree.root.children[5]!;
  const { fragment, whole } = writeLink(tree, shown);
  assert.equal(whole, false);
  const link = readLink(`#${fragment}`)!;
  assert.deepEqual([mainLine(link.tree), link.shown.ply], [[inLink(shown.turn)], 1]);
});

test('a link keeps a start of its own', () => {
  const start = '3/1Q1/2q b - - 0 4';
  const tree = newTree('amazons', start, start);
  const link = readLink(`#${writeLink(tree, tree.root).fragment}`);
  assert.equal(link?.tree.start, start);
  assert.equal(readLink('#top'), null);
  assert.throws(() => readLink('#v=chess'), /which is none/);
  assert.throws(() => readLink('#m=b1b4c4'), /names no rule set/);
});

test('what was drawn on the position travels in a link', () => {
  const { tree } = readLink('v=amazons&m=d1d7g7&t=1')!;
  const shown = tree.root.children[0]!;
  shown.comment = 'Look! [%csl Gd10,Ra1] [%cal Ya10j1]';
  const { fragment } = writeLink(tree, shown);
  assert.match(fragment, /&a=dA_a1_aAj1&t=1$/);
  const read = readLink(`${fragment}.`)!;
  assert.deepEqual([read.problems, read.shown.comment], [[], '[%csl Gd10,Ga1] [%cal Ga10j1]']);
  assert.equal(withWords(shown.comment, ''), '[%csl Gd10,Ra1] [%cal Ya10j1]');
  assert.equal(wordsIn(shown.comment), 'Look!');
  assert.equal(toggled(toggled('Look!', ['d4']), ['d4']), 'Look!');
});

test('a link is read whatever a mail program or a page made of it', () => {
  const turns = ['b1b4c4', 'e6e3c3', 'a2b2b1'];
  /** The amazon's new square once. */
  const squares = (turn: string) => turn.replace(/[^a-k\d]/gi, '').replace(/([a-k]\d+)\1/i, '$1');
  const fragment = 'v=amazons6&m=b1b4c4_e6e3c3_a2b2b1&t=2';
  const base = 'http://localhost:8080/';
  for (const text of [
    `${base}#${fragment}`,
    `${base}#${fragment.replaceAll('&', '&amp;')}`,
    `${base}#${fragment.replaceAll('&', '&amp;amp;')}`,
    `${base}#${fragment.replaceAll('&', '&#38;')}`,
    `${base}#${fragment.replaceAll('&', '&#x26;')}`,
    `${base}#${encodeURIComponent(fragment)}`,
    `${base}%23${encodeURIComponent(fragment)}`,
    `${base}#${fragment.toUpperCase()}`,
    `${base}#/analyse?${fragment}`,
    `${base}#!${fragment.replaceAll('_', '%5F')}`,
    `${base}#${fragment.replaceAll('_', '\\_')}`,
    `${base}#v=amazons6&m=b1b4%2Cb4c4_e6e3%2Ce3c3_a2b2%2cb2b1&t=2`,
    `${base}#V=Amazons6&M=b1b4,b4c4+e6e3,e3c3%20a2b2,b2b1&T=2`,
    `${base}#v=amazons6&m=b1–b4/c4_e6-e3/c3_a2b2b1&t=2`,
    `${base}#t=2&v=amazons6&m=b1b4c4_e6e3c3_a2b2b1`,
    `${base}#t=2&v=amazons6&m=b1b4c4_e6e3c3_a2b2b1.`,
    `${base}#v=3Damazons6&m=3Db1b4c4_e6e=\n3c3_a2b2b1&t=3D2`,
    `<${base}#${fragment}>`,
    `&lt;${base}#${fragment}&gt;`,
    `(${base}#${fragment}).`,
    `[my game](${base}#${fragment}), look!`,
    `Look at this: ${base}#${fragment}! What do you think?`,
    `> ${base}#v=amazons6&m=b1b4c4_\n> e6e3c3_a2b2b1&t=2\n\nWhat do you think?`,
  ]) {
    const links = linksIn(text).map((link) => readLink(link)!);
    assert.deepEqual([links.length, links[0]?.problems], [1, []], text);
    const { tree, shown } = links[0]!;
    assert.deepEqual([tree.variant, mainLine(tree).map(squares)], ['amazons6', turns], text);
    assert.equal(squares(shown.turn), turns[1], text);
  }
  const two = linksIn(`${base}#${fragment}\n${base}#v=damone&t=0\n`);
  assert.deepEqual(
    two.map((link) => readLink(link)?.tree.variant),
    ['amazons6', 'damone'],
  );
});

test('what is not understood in a link is said, and the rest is read', () => {
  const kept = (text: string) => mainLine(readLink(text)!.tree).length;
  for (const [text, words, turns] of [
    ['#v=amazons&m=d1d7g7_zz_a7b7c7&t=1', "damaged after turn 1: 'zz' is not a turn", 1],
    ['#v=amazons&m=zz', "damaged before its first turn: 'zz'", 0],
    ['#v=amazons&m=d1d7g7_a7b7c', "damaged after turn 1: 'a7b7c'", 1],
    ['#v=amazons&m=d1d7g7._a7b7c7', 'a variation ends that never began', 1],
    ['#v=amazons&m=~d1d7g7', 'a variation before any turn', 0],
    ['#v=amazons&m=d1d7g7&x=5&t=1', "part 'x=5'", 1],
    ['#v=amazons&m=d1d7g7&hello&t=1', "part 'hello'", 1],
    ['#v=amazons&m=d1d7g7&m=a7b7c7', "part 'm=a7b7c7'", 1],
    ['#v=amazons&m=d1d7g7&t=9', "show turn '9' of 1", 1],
    ['#v=amazons&m=d1d7g7&t=x', "show turn 'x' of 1", 1],
  ] as const) {
    assert.equal(kept(text), turns, text);
    const { problems } = readLink(text)!;
    assert.ok(problems.length === 1 && problems[0]!.includes(words), `${text}: ${problems}`);
  }
});

test('a link of any length is read in time, or refused', () => {
  for (const text of [
    `#v=amazons&m=${'a1b1c1_~'.repeat(5000)}`,
    `#v=amazons&m=${'a1b1c1_'.repeat(5000)}`,
    `#v=amazons&m=${'a1b1c1_'.repeat(50_000)}`,
  ]) {
    try {
      readLink(text);
    } catch (error) {
      assert.match(String(error), /too long/);
    }
  }
});
