// Games as text in the manner of PGN: tags in brackets, turns in our notation, {comments}, (variations).
// What `hippolyta match` writes is read as well, with its tags Game, Variant, Termination, Detail and FEN.
import { gameOf, isVariant, type VariantId } from '../games';
import { addComment, FormatError, type GameRecord, type RecordNode, recordNode, TurnCounter } from './record';
import { TURN } from './spelling';

const TAG = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$/;
const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'];
/** What the usual numbers of PGN for judging a move stand for. */
const JUDGEMENTS: Record<string, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** One game of a text with many. */
export interface PgnPart {
  text: string;
  /** The line where it begins, from 1. */
  line: number;
  tags: Record<string, string>;
}

/** Cuts a text into games: a new one begins with tags after turns. */
export function splitPgn(text: string): PgnPart[] {
  const parts: PgnPart[] = [];
  let lines: string[] = [];
  let tags: Record<string, string> = {};
  let begun = 1;
  let turns = false;
  let comment = false;
  const finish = () => {
    if (lines.some((line) => line.trim() !== '')) parts.push({ text: lines.join('\n'), line: begun, tags });
    lines = [];
    tags = {};
    turns = false;
  };
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const tag = comment ? null : TAG.exec(line);
    if (tag) {
      if (turns) finish();
      if (lines.length === 0) begun = index + 1;
      if (Object.keys(tags).length < 100) tags[tag[1]!] = tag[2]!.replace(/\\(.)/g, '$1');
    } else {
      if (lines.length === 0) begun = index + 1;
      if (line.trim() !== '') turns = true;
      comment = endsInComment(line, comment);
    }
    lines.push(line);
  }
  finish();
  return parts;
}

/** Is a `{` open at the end of the line? A line of a comment that looks like a tag is none. */
function endsInComment(line: string, open: boolean): boolean {
  let inside = open;
  for (const letter of line) {
    if (inside) inside = letter !== '}';
    else if (letter === '{') inside = true;
    else if (letter === ';') return false;
  }
  return inside;
}

interface Frame {
  /** The node after which the next turn comes. */
  at: RecordNode;
  plies: number;
  /** Words before the first turn of a variation: they belong to that turn. */
  before: string;
  /** No turn was read in this variation yet. */
  fresh: boolean;
}

/** Reads one game. Throws `FormatError`. `fallback` is the rule set of a game without the tag Variant. */
export function readPgn(part: PgnPart, fallback: VariantId): GameRecord {
  const named = part.tags.Variant?.trim().toLowerCase();
  if (named !== undefined && !isVariant(named)) {
    throw new FormatError(`[Variant "${part.tags.Variant}"] is not a rule set of this page`, part.line);
  }
  const variant = named ?? fallback;
  const { FEN: start = null, Variant: _variant, SetUp: _setup, Game: number, ...tags } = part.tags;
  if (number && !tags.Round) tags.Round = number;
  const record: GameRecord = {
    variant,
    start: start === null || start === gameOf(variant).start ? null : start,
    root: recordNode('', part.line),
    tags,
    notes: [],
  };
  readTurns(part, record);
  return record;
}

function readTurns(part: PgnPart, record: GameRecord): void {
  const { text } = part;
  const counter = new TurnCounter();
  const outer: Frame[] = [];
  const root: Frame = { at: record.root, plies: 0, before: '', fresh: true };
  let frame = root;
  // The parent of the node after which we are: variations begin there.
  const parents = new Map<RecordNode, RecordNode>();
  let line = part.line;
  let at = 0;
  const comment = (words: string) => {
    if (frame.fresh && frame !== root) frame.before += `${words}\n`;
    else addComment(frame.at, words);
  };
  while (at < text.length) {
    const letter = text[at]!;
    if (letter === '\n') {
      line += 1;
      at += 1;
    } else if (/\s/.test(letter)) {
      at += 1;
    } else if (letter === '[') {
      // Tags were read when the text was cut into games.
      const end = text.indexOf('\n', at);
      const tag = text.slice(at, end < 0 ? text.length : end);
      if (!TAG.test(tag))
        throw new FormatError(`a tag looks like [White "Ann"], not ${tag.slice(0, 40)}`, line);
      at += tag.length;
    } else if (letter === '{') {
      const end = text.indexOf('}', at);
      if (end < 0) throw new FormatError('a comment { has no end }', line);
      const words = text.slice(at + 1, end);
      comment(words);
      line += words.split('\n').length - 1;
      at = end + 1;
    } else if (letter === ';' || (letter === '%' && (at === 0 || text[at - 1] === '\n'))) {
      const end = text.indexOf('\n', at);
      comment(text.slice(at + 1, end < 0 ? text.length : end));
      at = end < 0 ? text.length : end;
    } else if (letter === '(') {
      const parent = parents.get(frame.at);
      if (!parent || frame.fresh) throw new FormatError('a variation ( before any turn', line);
      outer.push(frame);
      frame = { at: parent, plies: frame.plies - 1, before: '', fresh: true };
      at += 1;
    } else if (letter === ')') {
      const back = outer.pop();
      if (!back) throw new FormatError('a ) without its (', line);
      if (frame.before) addComment(back.at, frame.before);
      frame = back;
      at += 1;
    } else {
      const rest = text.slice(at, at + 400);
      const turn = TURN.exec(rest);
      if (turn) {
        const node = recordNode(turn[0], line);
        frame.plies += 1;
        counter.count(line, frame.plies);
        frame.at.children.push(node);
        parents.set(node, frame.at);
        frame.at = node;
        frame.fresh = false;
        if (frame.before) addComment(node, frame.before);
        frame.before = '';
        at += turn[0].length;
        const judged = /^[!?]{1,2}/.exec(text.slice(at, at + 2));
        if (judged) {
          addComment(node, judged[0]);
          at += judged[0].length;
        }
        continue;
      }
      const word = /^[^\s(){};[\]]+/.exec(rest)?.[0] ?? letter;
      const numbered = /^\d+\.+/.exec(word);
      const nag = /^\$(\d+)/.exec(word);
      if (RESULTS.includes(word)) {
        if (record.tags.Result === undefined) record.tags.Result = word;
        at += word.length;
      } else if (numbered) {
        at += numbered[0].length;
      } else if (nag) {
        comment(JUDGEMENTS[nag[1]!] ?? nag[0]);
        at += nag[0].length;
      } else if (/^(\.+|\d+)$/.test(word)) {
        at += word.length;
      } else {
        throw new FormatError(`'${word.slice(0, 40)}' is not a turn`, line);
      }
    }
  }
  if (outer.length > 0) throw new FormatError('a variation ( has no end )', line);
}

const SEVEN = ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'];

export function writePgn(record: GameRecord): string {
  const defaults: Record<string, string> = { Date: '????.??.??', Result: '*' };
  const tags: [string, string][] = SEVEN.map((name) => [name, record.tags[name] ?? defaults[name] ?? '?']);
  tags.push(['Variant', record.variant]);
  if (record.start !== null) tags.push(['SetUp', '1'], ['FEN', record.start]);
  for (const [name, value] of Object.entries(record.tags))
    if (!SEVEN.includes(name) && /^\w+$/.test(name)) tags.push([name, value]);
  const head = tags
    .map(
      ([name, value]) =>
        `[${name} "${value
          .replace(/[\r\n]+/g, ' ')
          .replace(/\\/g, '\\\\')
          .replace(/"/g, '\\"')}"]\n`,
    )
    .join('');
  const words: string[] = [];
  writeComment(record.root.comment, words);
  const first = (record.start ?? '').split(/\s+/)[1] === 'b' ? 1 : 0;
  writeLine(record.root, first, true, words);
  words.push(record.tags.Result ?? '*');
  return `${head}\n${wrap(words)}\n`;
}

/** `}` cannot stand in braces; such a comment goes to lines of its own. */
function writeComment(comment: string, words: string[]): void {
  if (!comment) return;
  if (!comment.includes('}')) words.push(`{${comment}}`);
  else for (const line of comment.split('\n')) words.push(`;${line}\n`);
}

/** The line after a node: each variation stands behind the turn that it replaces. Only variations nest. */
function writeLine(parent: RecordNode, first: number, begin: boolean, words: string[]): void {
  let numbered = begin;
  let ply = first;
  for (let at = parent; at.children[0]; ply += 1) {
    const [main, ...others] = at.children as [RecordNode, ...RecordNode[]];
    writeTurn(main, ply, numbered, words);
    for (const other of others) {
      const inner: string[] = [];
      writeTurn(other, ply, true, inner);
      writeLine(other, ply + 1, other.comment !== '', inner);
      inner[0] = `(${inner[0]}`;
      const last = inner.length - 1;
      // Behind a comment of a whole line the bracket needs a word of its own.
      if (inner[last]!.endsWith('\n')) inner.push(')');
      else inner[last] += ')';
      for (const word of inner) words.push(word);
    }
    numbered = others.length > 0 || main.comment !== '';
    at = main;
  }
}

function writeTurn(node: RecordNode, ply: number, numbered: boolean, words: string[]): void {
  const number = Math.floor(ply / 2) + 1;
  if (ply % 2 === 0) words.push(`${number}. ${node.turn}`);
  else words.push(numbered ? `${number}... ${node.turn}` : node.turn);
  writeComment(node.comment, words);
}

function wrap(words: readonly string[]): string {
  let text = '';
  let width = 0;
  for (const word of words) {
    if (width > 0 && width + 1 + word.length > 100) {
      text += '\n';
      width = 0;
    } else if (width > 0) {
      text += ' ';
      width += 1;
    }
    text += word;
    width = word.endsWith('\n') ? 0 : width + word.length;
  }
  return text;
}
