// Between the game on the board and the records of the JSON lines, which the engine reads from text and writes as text.

import type { Match } from '../game/store';
import { resultOf, terminationOf } from '../game/tags';
import { type GameNode, type GameTree, lastOf, newTree, play } from '../game/tree';
import { gameOf, isVariant } from '../games';
import { phrase } from '../messages';
import type { GameRecord, RecordedMove } from '../protocol';

/** How deep the variations of a record may nest. */
const MOST_NESTED = 30;

type WrittenRecord = Partial<GameRecord> & { moves: RecordedMove[] };

/** Throws if the variations nest too deep. */
export function recordOf(tree: GameTree, tags: Record<string, string> = tree.tags ?? {}): WrittenRecord {
  return {
    variant: tree.variant,
    ...(tree.start === null ? {} : { fen: tree.start }),
    tags,
    comment: tree.root.comment,
    moves: movesAfter(tree.root, 0),
  };
}

function movesAfter(from: GameNode, nested: number): RecordedMove[] {
  if (nested > MOST_NESTED) throw new Error(phrase('formats.tooDeep', { most: MOST_NESTED }));
  const moves: RecordedMove[] = [];
  for (let at = from; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children as [GameNode, ...GameNode[]];
    const variations = others.map((other) => [moveOf(other), ...movesAfter(other, nested + 1)]);
    moves.push({ ...moveOf(main), ...(variations.length > 0 ? { variations } : {}) });
  }
  return moves;
}

function moveOf({ turn, comment }: GameNode): RecordedMove {
  return comment ? { move: turn, comment } : { move: turn };
}

/** The name of a record's rule set, or the rules themselves if they are somebody's own. */
export function variantOf({ variant, rules }: GameRecord): string {
  return rules ?? variant;
}

/** A game as the engine has read it. */
export function treeOf(record: GameRecord): GameTree {
  const variant = variantOf(record);
  if (!isVariant(variant)) throw new Error(phrase('formats.unknownRules', { variant }));
  const { start } = gameOf(variant);
  const fen = record.fen ?? start;
  const tree = newTree(variant, fen === start ? null : fen, fen);
  tree.tags = tagsIn(record);
  tree.root.comment = record.comment ?? '';
  add(tree, tree.root, record.moves);
  return tree;
}

/** Only variations nest. */
function add(tree: GameTree, from: GameNode, moves: readonly RecordedMove[]): void {
  let at = from;
  for (const move of moves) {
    const node = play(tree, at, move.move);
    node.comment = [noteOf(move), move.comment].filter(Boolean).join('\n');
    for (const variation of move.variations ?? []) add(tree, at, variation);
    at = node;
  }
}

/** An engine's note on its turn, in the words that PGN has for it: `+0.35/12 1.234s, tl=9.900s, n=5000`. */
function noteOf({ book, score, depth, time_us, clock_ms, nodes }: RecordedMove): string {
  if (book) return 'book';
  if ([score, depth, time_us, clock_ms, nodes].every((value) => value === undefined)) return '';
  const sign = (value: number) => (value < 0 ? '-' : '+');
  const words = !score
    ? '-'
    : 'mate' in score
      ? `${score.mate > 0 ? '+' : '-'}M${Math.abs(score.mate)}`
      : `${sign(score.cp)}${(Math.abs(score.cp) / 100).toFixed(2)}`;
  return [
    `${words}${depth === undefined ? '' : `/${depth}`} ${((time_us ?? 0) / 1e6).toFixed(3)}s`,
    ...(clock_ms === undefined ? [] : [`tl=${(clock_ms / 1e3).toFixed(3)}s`]),
    ...(nodes === undefined ? [] : [`n=${nodes}`]),
  ].join(', ');
}

/** All that is known of a game as tags of PGN. */
function tagsIn({ tags, game, opening, white, black, result, reason, margin, detail }: GameRecord) {
  const fields: [string, string | undefined][] = [
    ['Game', game === undefined ? undefined : String(game + 1)],
    ['Opening', opening === undefined ? undefined : String(opening + 1)],
    ['White', white],
    ['Black', black],
    ['Result', result],
    ['Termination', reason],
    ['Margin', margin === undefined ? undefined : `${margin < 0 ? '' : '+'}${margin}`],
    ['Detail', detail],
  ];
  const known = fields.filter((field): field is [string, string] => !!field[1]);
  return { ...tags, ...Object.fromEntries(known) };
}

/** Year, month and day by the clock of the reader, as numbers of two digits at least. */
export function dayOf(date: Date): string[] {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
}

/** The game on the board as tags of PGN. */
export function tagsOf({ tree, setup, ending }: Match, today = new Date()): Record<string, string> {
  const { outcome, decided } = lastOf(tree.root);
  const margin = (ending ? ending.margin : outcome === null ? null : decided?.margin) ?? null;
  const result = resultOf(ending?.winner ?? outcome);
  const termination = ending ? terminationOf(ending) : undefined;
  if (tree.tags) {
    // A game from elsewhere keeps its own tags; its result is filled in where it had none.
    const known = tree.tags.Result;
    return { ...tree.tags, Result: known === undefined || known === '*' ? result : known };
  }
  const name = (side: 'white' | 'black') => {
    const player = setup.players[side];
    return player.kind === 'engine' ? `Hippolyta (${player.level})` : '?';
  };
  return {
    Event: '?',
    Site: '?',
    Date: dayOf(today).join('.'),
    Round: '-',
    White: name('white'),
    Black: name('black'),
    Result: result,
    ...(termination ? { Termination: termination } : {}),
    ...(margin === null ? {} : { Margin: `${margin < 0 ? '' : '+'}${margin}` }),
  };
}
