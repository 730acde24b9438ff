// SGF for the Game of the Amazons, GM[18] (https://www.red-bean.com/sgf/amazons.html): a turn is three points, from, to
// and arrow, as in B[djddgd]; AB, AW and AA put amazons and arrows on the board; the row `a` is the top one.
//
// In SGF Black moves first and stands at the bottom; here White does. So Black's turns in a file are White's on the
// board, and the names change sides with them. A few programs write White first instead: then colours stay.
import { coordinates, type Letter, readFen, type Square, sideOf, squareName, writeFen } from '../fen';
import { gameOf, games, type VariantId } from '../games';
import type { Side } from '../protocol';
import { squaresOfTurn } from '../turns';
import { addComment, FormatError, type GameRecord, type RecordNode, recordNode, TurnCounter } from './record';

type Properties = Map<string, string[]>;

interface SgfNode {
  properties: Properties;
  children: SgfNode[];
  line: number;
}

/** The trees of a text, one for each game, and what was damaged in it. Throws `FormatError` if there is no game. */
export function parseSgf(text: string): { trees: SgfNode[]; problems: string[] } {
  const problems: string[] = [];
  const report = (words: string, where: number) => problems.push(`Line ${where}: ${words}.`);
  const games: SgfNode[] = [];
  // Where a `(` began, and the node that is being read.
  const outer: (SgfNode | null)[] = [];
  const parents = new Map<SgfNode, SgfNode>();
  let node: SgfNode | null = null;
  let line = 1;
  let at = 0;
  let count = 0;
  while (at < text.length) {
    const letter = text[at]!;
    at += 1;
    if (letter === '\n') line += 1;
    else if (/\s/.test(letter)) continue;
    else if (letter === '(') outer.push(node);
    else if (letter === ')') {
      const back = outer.pop();
      if (back === undefined) report('a ) without its (', line);
      node = back ?? null;
    } else if (letter === ';') {
      if (outer.length === 0) {
        report('a node ; outside of ( )', line);
        outer.push(null);
      }
      const next: SgfNode = { properties: new Map(), children: [], line };
      count += 1;
      if (count > 500_000) throw new FormatError('too many nodes', line);
      if (node) {
        node.children.push(next);
        parents.set(next, node);
      } else games.push(next);
      node = next;
    } else if (/[A-Za-z]/.test(letter)) {
      let name = letter;
      while (at < text.length && /[A-Za-z]/.test(text[at]!)) {
        name += text[at];
        at += 1;
      }
      // Older files spell out names: lower-case letters do not count.
      name = name.replace(/[a-z]/g, '');
      if (!node) report(`the property ${name} stands before any node`, line);
      if (node && (name === 'FF' || name === 'GM')) {
        const parent = parents.get(node);
        if (parent && node.properties.size === 0) {
          report('a ( of the game before has no end )', node.line);
          parent.children.pop();
          games.push(node);
          outer.length = 0;
          outer.push(null);
        }
      }
      const values: string[] = node?.properties.get(name) ?? [];
      const had = values.length;
      for (;;) {
        while (at < text.length && /\s/.test(text[at]!)) {
          if (text[at] === '\n') line += 1;
          at += 1;
        }
        if (text[at] !== '[') break;
        const begun = line;
        at += 1;
        let value = '';
        let closed = false;
        while (at < text.length) {
          const part = text[at]!;
          at += 1;
          if (part === ']') {
            closed = true;
            break;
          }
          if (part === '\n') line += 1;
          if (part !== '\\') {
            value += part;
            continue;
          }
          const kept = text[at] ?? '';
          at += 1;
          // An escaped line break only folds a long line.
          if (kept === '\n') line += 1;
          else value += kept;
        }
        if (!closed) report(`the value of ${name} has no end ]`, begun);
        values.push(value);
      }
      if (values.length === had) report(`the property ${name} has no value`, line);
      else node?.properties.set(name, values);
    } else {
      // The text up to the next sign of SGF.
      const strange = /^[^();[\]A-Za-z]*/.exec(text.slice(at, at + 1000))?.[0] ?? '';
      report(`'${(letter + strange).trim().slice(0, 20)}' is out of place`, line);
      line += strange.split('\n').length - 1;
      at += strange.length;
    }
  }
  if (outer.length > 0) report('a ( has no end )', line);
  if (games.length === 0) throw new FormatError('no game in this SGF', 0);
  return { trees: games, problems };
}

/** Properties that carry nothing which would be missed. */
const SILENT = new Set('FF GM SZ CA AP ST B W AB AW AE AA PL C N MN KO VW DD'.split(' '));
const TAGS: Record<string, string> = {
  EV: 'Event',
  PC: 'Site',
  DT: 'Date',
  RO: 'Round',
  GN: 'Game',
  AN: 'Annotator',
};

/** Throws `FormatError`. */
export function readSgf(root: SgfNode): GameRecord {
  const { properties, line } = root;
  const kind = properties.get('GM')?.[0]?.trim();
  if (kind !== undefined && kind !== '18')
    throw new FormatError(`GM[${kind.slice(0, 10)}] is another game; the Amazons are GM[18]`, line);
  const size = sizeOf(properties, line);
  const { position, swap, setup } = begin(root, size);
  const record = frame(position, swap, setup);
  const unread = new Set<string>();
  for (const [name, values] of properties) {
    const tag = TAGS[name];
    if (tag) record.tags[tag] = values.join(' ');
  }
  const names: [string, string][] = swap
    ? [
        ['PB', 'White'],
        ['PW', 'Black'],
      ]
    : [
        ['PW', 'White'],
        ['PB', 'Black'],
      ];
  for (const [from, to] of names) if (properties.get(from)?.[0]) record.tags[to] = properties.get(from)![0]!;
  const said = properties.get('RE')?.[0] ?? '';
  record.tags.Result = resultOf(said, swap) ?? '*';
  if (resultOf(said, swap) === null)
    record.notes.push(`Line ${line}: the result RE[${said.slice(0, 40)}] is not understood.`);
  if (properties.get('GC')?.[0]) addComment(record.root, properties.get('GC')![0]!);
  readNodes(root, record, size, swap, unread);
  for (const known of ['PB', 'PW', 'RE', 'GC', ...Object.keys(TAGS)]) unread.delete(known);
  if (unread.size > 0)
    record.notes.push(`Not taken over from the SGF: ${[...unread].slice(0, 12).join(', ')}.`);
  if (swap)
    record.notes.push(
      'In SGF Black moves first. Here that side is White, and the names changed sides with it.',
    );
  return record;
}

function readNodes(root: SgfNode, record: GameRecord, size: Size, swap: boolean, unread: Set<string>): void {
  const counter = new TurnCounter();
  const open = [{ node: root, at: record.root, plies: 0 }];
  walk: for (let next = open.pop(); next; next = open.pop()) {
    const { node, at } = next;
    const { properties } = node;
    let { plies } = next;
    let here = at;
    for (const name of properties.keys()) if (!SILENT.has(name)) unread.add(name);
    for (const colour of ['B', 'W'] as const) {
      const value = properties.get(colour)?.[0];
      if (value === undefined || value.trim() === '') continue;
      if (/^\s*(?:resign\w*|time\w*)\s*$/i.test(value)) {
        // A game that says its end in place of a turn.
        if (record.tags.Result === '*') record.tags.Result = (colour === 'B') === swap ? '0-1' : '1-0';
        continue;
      }
      let turn: string;
      try {
        turn = turnOf(value, size, node.line);
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        record.notes.push(`${error.message}. What follows it is left out.`);
        continue walk;
      }
      plies += 1;
      counter.count(node.line, plies);
      const expected: Side = (record.start ?? '').split(' ')[1] === 'b' ? 'black' : 'white';
      const mover: Side = (colour === 'B') === swap ? 'white' : 'black';
      if ((plies % 2 === 1) !== (mover === expected)) {
        record.notes.push(
          `Line ${node.line}: ${colour}[${value.slice(0, 20)}]: it is not this side's turn. What follows it is left out.`,
        );
        continue walk;
      }
      const child = recordNode(turn, node.line);
      here.children.push(child);
      here = child;
    }
    if (node !== root && ['AB', 'AW', 'AE', 'AA', 'PL'].some((name) => properties.has(name))) {
      record.notes.push(
        `Line ${node.line}: pieces are put on the board after the start. What follows is left out.`,
      );
      continue;
    }
    for (const name of ['N', 'C']) if (properties.get(name)?.[0]) addComment(here, properties.get(name)![0]!);
    for (let index = node.children.length - 1; index >= 0; index -= 1)
      open.push({ node: node.children[index]!, at: here, plies });
  }
}

interface Size {
  width: number;
  height: number;
}

function sizeOf(properties: Properties, line: number): Size {
  const text = properties.get('SZ')?.[0]?.trim() ?? '10';
  const [width, height] = text.split(':').map(Number);
  const size = { width: width ?? 0, height: height ?? width ?? 0 };
  const fits = (value: number) => Number.isInteger(value) && value >= 3 && value <= 11;
  if (!fits(size.width) || !fits(size.height))
    throw new FormatError(`SZ[${text.slice(0, 10)}]: boards go from 3 to 11 squares a side`, line);
  return size;
}

function pointOf(text: string, size: Size, line: number): Square {
  const file = text.charCodeAt(0) - 97;
  const row = text.charCodeAt(1) - 97;
  if (text.length !== 2 || !(file >= 0 && file < size.width) || !(row >= 0 && row < size.height))
    throw new FormatError(
      `'${text.slice(0, 10)}' is not a point of a board of ${size.width}×${size.height}`,
      line,
    );
  return squareName(file, size.height - 1 - row);
}

function turnOf(value: string, size: Size, line: number): string {
  const points = value.trim().toLowerCase();
  if (points.length !== 6)
    throw new FormatError(`'${points.slice(0, 20)}' is not a turn of three points`, line);
  const [from, to, fire] = [0, 2, 4].map((at) => pointOf(points.slice(at, at + 2), size, line));
  return `${from}${to},${to}${fire}`;
}

/** Single points, or rectangles as `aa:cc`. */
function pointsOf(values: readonly string[], size: Size, line: number): Square[] {
  return values.flatMap((value) => {
    const [first = '', last] = value.trim().split(':');
    if (last === undefined) return [pointOf(first, size, line)];
    const [from, to] = [coordinates(pointOf(first, size, line)), coordinates(pointOf(last, size, line))];
    const squares: Square[] = [];
    for (let file = Math.min(from.file, to.file); file <= Math.max(from.file, to.file); file += 1)
      for (let rank = Math.min(from.rank, to.rank); rank <= Math.max(from.rank, to.rank); rank += 1)
        squares.push(squareName(file, rank));
    return squares;
  });
}

interface Position extends Size {
  /** In the colours of the file. */
  pieces: Map<Square, Letter>;
  first: Side;
}

const SETUP: [string, Letter][] = [
  ['AB', 'q'],
  ['AW', 'Q'],
  ['AA', '*'],
];

/** The start of the file, and whether its Black is our White. */
function begin(root: SgfNode, size: Size): { position: Position; swap: boolean; setup: boolean } {
  const pieces = new Map<Square, Letter>();
  const setup = SETUP.some(([name]) => root.properties.has(name));
  for (const [name, letter] of SETUP)
    for (const square of pointsOf(root.properties.get(name) ?? [], size, root.line))
      pieces.set(square, letter);
  for (const square of pointsOf(root.properties.get('AE') ?? [], size, root.line)) pieces.delete(square);
  const named = root.properties.get('PL')?.[0]?.trim().toLowerCase()[0];
  const first: Side = (named ?? firstMover(root)) === 'w' ? 'white' : 'black';
  if (!setup) {
    const usual = games.find(
      (game) => game.family === 'amazons' && game.width === size.width && game.height === size.height,
    );
    if (!usual)
      throw new FormatError(`a board of ${size.width}×${size.height} without pieces (AB, AW)`, root.line);
    // Our own start; whoever moves first has the lower side, which here is White.
    const start = readFen(usual.start).pieces;
    for (const [square, letter] of start) pieces.set(square, first === 'white' ? letter : turned(letter));
    return { position: { ...size, pieces, first }, swap: first === 'black', setup };
  }
  const position = { ...size, pieces, first };
  // Colours stay only if that gives a usual start and changing them does not.
  const stays = first === 'white' && usualStart(fenOf(position, false)) && !usualStart(fenOf(position, true));
  return { position, swap: !stays, setup };
}

function firstMover(root: SgfNode): string {
  for (let node: SgfNode | undefined = root; node; node = node.children[0]) {
    if (node.properties.has('B')) return 'b';
    if (node.properties.has('W')) return 'w';
  }
  return 'b';
}

function turned(letter: Letter): Letter {
  return letter === 'Q' ? 'q' : letter === 'q' ? 'Q' : letter;
}

function fenOf(position: Position, swap: boolean): string {
  const pieces = new Map(
    [...position.pieces].map(([square, letter]) => [square, swap ? turned(letter) : letter]),
  );
  const side: Side = (position.first === 'white') === swap ? 'black' : 'white';
  return writeFen({ ...position, pieces, side, moveOnly: false, quiet: 0, number: 1 });
}

function usualStart(fen: string): VariantId | undefined {
  return games.find((game) => game.family === 'amazons' && game.start === fen)?.id;
}

function frame(position: Position, swap: boolean, setup: boolean): GameRecord {
  const fen = fenOf(position, swap);
  const usual = usualStart(fen);
  const sized = games.find(
    (game) => game.family === 'amazons' && game.width === position.width && game.height === position.height,
  );
  return {
    variant: usual ?? (setup ? sized?.id : undefined) ?? 'amazons',
    start: usual ? null : fen,
    root: recordNode('', 1),
    tags: {},
    notes: [],
  };
}

/** `null` if the text is not understood. Numbers are White's first, as in PGN, of the sides on this board. */
function resultOf(text: string, swap: boolean): string | null {
  const words = text.trim().toLowerCase();
  if (/^(?:|[?*]|void.*)$/.test(words)) return '*';
  if (/^(?:0|=|jigo|draw.*|(?:1\/2|½|0\.5)(?:[-:–](?:1\/2|½|0\.5))?)$/.test(words)) return '1/2-1/2';
  if (/^1[-:–]0$/.test(words)) return '1-0';
  if (/^0[-:–]1$/.test(words)) return '0-1';
  const [, side, rest = ''] = /^(b|black|w|white)\b(.*)$/.exec(words) ?? [];
  if (!side) return null;
  if (!/^\s*(?:|\+.*|w[io]ns?\b.*|(?:resign|los[et])\w*.*)$/.test(rest)) return null;
  const lost = /^\s*(?:resign|los[et])/.test(rest);
  return (side.startsWith('b') === swap) !== lost ? '1-0' : '0-1';
}

/** Throws for a game that is not one of the Amazons. */
export function writeSgf(record: GameRecord): string {
  const game = gameOf(record.variant);
  if (game.family !== 'amazons') throw new FormatError('SGF is only for the Game of the Amazons');
  const view = readFen(record.start ?? game.start);
  const point = (square: Square) => {
    const { file, rank } = coordinates(square);
    return String.fromCharCode(97 + file, 97 + view.height - 1 - rank);
  };
  const list = (name: string, wanted: (letter: Letter) => boolean) => {
    const squares = [...view.pieces]
      .filter(([, letter]) => wanted(letter))
      .map(([square]) => `[${point(square)}]`);
    return squares.length > 0 ? `${name}${squares.join('')}` : '';
  };
  const size = view.width === view.height ? `${view.width}` : `${view.width}:${view.height}`;
  const first = view.side === 'white';
  const results: Record<string, string> = { '1-0': 'B+', '0-1': 'W+', '1/2-1/2': '0' };
  const parts = [`(;FF[4]GM[18]CA[UTF-8]SZ[${size}]`];
  parts.push(
    list('AB', (letter) => sideOf(letter) === 'white') +
      list('AW', (letter) => sideOf(letter) === 'black') +
      list('AA', (letter) => letter === '*') +
      `PL[${first ? 'B' : 'W'}]`,
  );
  const { tags } = record;
  const info = [
    ['PB', tags.White],
    ['PW', tags.Black],
    ['RE', results[tags.Result ?? '']],
    ...Object.entries(TAGS).map(([name, tag]) => [name, tags[tag]] as const),
  ] as const;
  for (const [name, value] of info)
    if (value && !/^[?.]+$/.test(value)) parts.push(`${name}[${escaped(value.replace(/[\r\n]+/g, ' '))}]`);
  if (record.root.comment) parts.push(`C[${escaped(record.root.comment)}]`);
  writeNodes(record.root, first, point, parts);
  return `${parts.join('\n')})\n`;
}

function writeNodes(
  root: RecordNode,
  first: boolean,
  point: (square: Square) => string,
  parts: string[],
): void {
  const open: ({ node: RecordNode; black: boolean } | ')' | '(')[] = [];
  const follow = (parent: RecordNode, black: boolean) => {
    const several = parent.children.length > 1;
    for (let index = parent.children.length - 1; index >= 0; index -= 1) {
      const node = parent.children[index]!;
      if (several) open.push(')');
      open.push({ node, black });
      if (several) open.push('(');
    }
  };
  follow(root, first);
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    const { node, black } = next;
    const points = squaresOfTurn(node.turn).map(point).join('');
    parts.push(`;${black ? 'B' : 'W'}[${points}]${node.comment ? `C[${escaped(node.comment)}]` : ''}`);
    follow(node, !black);
  }
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\]/g, '\\]');
}
