// A game in the fragment of an address: #v=amazons6&f=FEN&m=b1b4c4_e6e3c3_~d6d2c2._…&t=2
//
//   v  rule set
//   f  where the game began, if not at the rule set's start: the FEN with `_` for blanks
//   m  turns, `_` between them, two characters a square (ranks 10 and 11 are `A` and `B`); `~…` up to `.` is a variation in
//      place of the turn before it
//   t  the turn that is shown, counted as written, 0 for the start; the last of the main line if left out
//
// Comments do not travel. All characters may stand in a fragment as they are, and none at the end of a link is one that
// mail programs take for the end of a sentence.
import { gameOf, isVariant } from '../games';
import { squaresOfTurn } from '../turns';
import { FormatError, type GameRecord, type RecordNode, recordNode, TurnCounter, turnsOf } from './record';
import { canonical } from './spelling';

/** Longer links are cut by some programs. Variations stay behind first. */
export const MAX_LINK = 8000;

/** Whoever opens a link did not choose what is in it: it must not keep the engine busy for long. */
const MAX_READ = 40_000;

export interface Linked {
  record: GameRecord;
  /** The node that is shown. */
  shown: RecordNode;
}

function shortSquare(square: string): string {
  return square.replace('10', 'A').replace('11', 'B');
}

function longSquares(text: string): string[] | null {
  if (text.length % 2 !== 0 || !/^(?:[a-k][1-9AB])+$/.test(text)) return null;
  return (text.match(/../g) ?? []).map((pair) => pair.replace('A', '10').replace('B', '11'));
}

/** The fragment without `#`. `whole` says whether the variations found room. */
export function writeLink(record: GameRecord, shown: RecordNode): { fragment: string; whole: boolean } {
  const head = `v=${record.variant}${record.start === null ? '' : `&f=${record.start.replace(/ /g, '_')}`}`;
  const order = new Map<RecordNode, number>();
  const turns = writeLine(record.root, order);
  const at = order.get(shown) ?? 0;
  const fragment = `${head}${turns ? `&m=${turns}` : ''}&t=${at}`;
  if (fragment.length <= MAX_LINK) return { fragment, whole: true };
  const path = pathTo(record.root, shown);
  let end = path.at(-1) ?? record.root;
  while (end.children[0]) {
    end = end.children[0];
    path.push(end);
  }
  const line = path.map((node) => squaresOfTurn(node.turn).map(shortSquare).join(''));
  return { fragment: `${head}&m=${line.join('_')}&t=${path.indexOf(shown) + 1}`, whole: false };
}

/** Each turn, then its variations, then what follows it. Only variations nest. */
function writeLine(from: RecordNode, order: Map<RecordNode, number>): string {
  const words: string[] = [];
  const add = (node: RecordNode) => {
    order.set(node, order.size + 1);
    return squaresOfTurn(node.turn).map(shortSquare).join('');
  };
  for (let at = from; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children as [RecordNode, ...RecordNode[]];
    words.push(add(main));
    for (const other of others) {
      const first = add(other);
      const rest = writeLine(other, order);
      words.push(`~${first}${rest ? `_${rest}` : ''}.`);
    }
  }
  return words.join('_');
}

/** The nodes from the first turn to this one. */
function pathTo(root: RecordNode, wanted: RecordNode): RecordNode[] {
  const parents = new Map<RecordNode, RecordNode>();
  for (const child of root.children) parents.set(child, root);
  for (const { node } of turnsOf(root)) for (const child of node.children) parents.set(child, node);
  const path: RecordNode[] = [];
  for (let at: RecordNode | undefined = wanted; at && at !== root; at = parents.get(at)) path.push(at);
  return path.reverse();
}

/** `null` if the fragment is none of ours. Throws `FormatError` if it is damaged. */
export function readLink(fragment: string): Linked | null {
  const fields = new Map<string, string>();
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at > 0) fields.set(part.slice(0, at), decode(part.slice(at + 1)));
  }
  const variant = fields.get('v');
  if (variant === undefined) return null;
  if (fragment.length > MAX_READ) throw new FormatError('this link is too long');
  if (!isVariant(variant))
    throw new FormatError(`this link names the rule set '${variant.slice(0, 40)}', which is none`);
  const fen = fields.get('f')?.replace(/_/g, ' ').trim();
  const record: GameRecord = { variant, start: fen || null, root: recordNode(), tags: {}, notes: [] };
  const nodes = readTurns(fields.get('m') ?? '', record);
  const wanted = fields.get('t');
  let shown = wanted !== undefined && /^\d+$/.test(wanted) ? nodes[Number(wanted)] : undefined;
  if (!shown) {
    shown = record.root;
    while (shown.children[0]) shown = shown.children[0];
  }
  return { record, shown };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** All nodes in the order of writing, the root first. */
function readTurns(text: string, record: GameRecord): RecordNode[] {
  const { family } = gameOf(record.variant);
  const nodes = [record.root];
  const counter = new TurnCounter();
  const parents = new Map<RecordNode, RecordNode>();
  const outer: { at: RecordNode; plies: number }[] = [];
  let at = record.root;
  let plies = 0;
  for (const token of text.match(/~|\.|[^_~.]+/g) ?? []) {
    if (token === '~') {
      const parent = parents.get(at);
      if (!parent) throw new FormatError('this link is damaged: a variation before any turn');
      outer.push({ at, plies });
      at = parent;
      plies -= 1;
    } else if (token === '.') {
      const back = outer.pop();
      if (!back) throw new FormatError('this link is damaged: a variation ends that never began');
      at = back.at;
      plies = back.plies;
    } else {
      const squares = longSquares(token);
      const turn = squares && canonical(squares.join(''), family);
      if (!turn)
        throw new FormatError(
          `this link is damaged: '${token.slice(0, 20)}' is not a turn (turn ${nodes.length})`,
        );
      plies += 1;
      counter.count(0, plies);
      const node = recordNode(turn);
      at.children.push(node);
      parents.set(node, at);
      at = node;
      nodes.push(node);
    }
  }
  return nodes;
}
