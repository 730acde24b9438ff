// Games as text in the manner of PGN: tags in brackets, turns in our notation, {comments}, (variations).
// What `hippolyta match` writes is read as well, with its tags Game, Variant, Termination, Detail and FEN.
import { gameOf, isVariant, type VariantId } from '../games';
import { addComment, FormatError, type GameRecord, type RecordNode, recordNode, TurnCounter } from './record';
import { TURN } from './spelling';

const TAG = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/;
/** Results as people write them. */
const RESULTS: Record<string, string> = {
  '1-0': '1-0',
  '1:0': '1-0',
  '1–0': '1-0',
  '0-1': '0-1',
  '0:1': '0-1',
  '0–1': '0-1',
  '1/2-1/2': '1/2-1/2',
  '1/2–1/2': '1/2-1/2',
  '½-½': '1/2-1/2',
  '½–½': '1/2-1/2',
  '½:½': '1/2-1/2',
  '1/2:1/2': '1/2-1/2',
  '*': '*',
};
const RESULT = /^(?:1[-–:]0|0[-–:]1|(?:1\/2|½)[-–:](?:1\/2|½)|\*)(?![\w/-])/;
/** What the usual numbers of PGN for judging a move stand for. */
const JUDGEMENTS: Record<string, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** One game of a text with many. */
export interface PgnPart {
  text: string;
  /** The line where it begins, from 1. */
  line: number;
  tags: Record<string, string>;
}

/** Cuts a text into games: one begins with tags behind turns, or with whatever but a comment behind a result. */
export function splitPgn(text: string): PgnPart[] {
  const parts: PgnPart[] = [];
  /** The text of the game without its tags, which stand in `tags`. */
  let words = '';
  let tags: Record<string, string> = {};
  let begun = 1;
  let line = 1;
  let empty = true;
  let turns = false;
  let ended = false;
  const finish = () => {
    if (!empty) parts.push({ text: words, line: begun, tags });
    words = '';
    tags = {};
    begun = line;
    empty = true;
    turns = false;
    ended = false;
  };
  let at = 0;
  const take = (length: number) => {
    const piece = text.slice(at, at + length);
    words += piece;
    at += length;
    for (const letter of piece) if (letter === '\n') line += 1;
  };
  const endOfLine = () => {
    const end = text.indexOf('\n', at);
    return (end < 0 ? text.length : end) - at;
  };
  while (at < text.length) {
    const letter = text[at]!;
    if (/\s/.test(letter)) {
      if (empty && letter === '\n') begun = line + 1;
      take(1);
      if (empty) words = '';
      continue;
    }
    if (letter === '{') {
      const end = text.indexOf('}', at);
      empty = false;
      take(end < 0 ? text.length - at : end + 1 - at);
      continue;
    }
    if (letter === ';' || (letter === '%' && (at === 0 || text[at - 1] === '\n'))) {
      empty = false;
      take(endOfLine());
      continue;
    }
    if (letter === '[') {
      const tag = TAG.exec(text.slice(at, at + endOfLine()));
      if (tag) {
        if (turns || ended) finish();
        empty = false;
        if (Object.keys(tags).length < 100) tags[tag[1]!] = tag[2]!.replace(/\\(.)/g, '$1');
        at += tag[0].length;
        continue;
      }
    }
    const rest = text.slice(at, at + 40);
    const result = RESULT.exec(rest);
    if (ended && letter !== ')' && !result) finish();
    empty = false;
    turns = true;
    if (result) ended = true;
    take(result ? result[0].length : (/^[^\s(){};[\]]+/.exec(rest)?.[0].length ?? 1));
  }
  finish();
  return parts;
}

/** Of a game: the others would say no more. */
const MOST_NOTES = 50;

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
  const note = (words: string) => {
    if (record.notes.length < MOST_NOTES) record.notes.push(`Line ${line}: ${words}.`);
  };
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
      note(`a tag looks like [White "Ann"], not ${tag.slice(0, 40)}`);
      at += tag.length;
    } else if (letter === '{') {
      let end = text.indexOf('}', at);
      if (end < 0) {
        note('a comment { has no end }');
        end = text.length;
      }
      const words = text.slice(at + 1, end);
      comment(words);
      line += words.split('\n').length - 1;
      at = end + 1;
    } else if (letter === ';' || (letter === '%' && (at === 0 || text[at - 1] === '\n'))) {
      const end = text.indexOf('\n', at);
      const words = text.slice(at + 1, end < 0 ? text.length : end);
      if (TURN.test(words.trim()))
        note(`the remark '${words.trim().slice(0, 40)}' begins with a turn, which is not played`);
      comment(words);
      at = end < 0 ? text.length : end;
    } else if (letter === '(') {
      const parent = parents.get(frame.at);
      if (!parent || frame.fresh) note('a variation ( before any turn is left out');
      outer.push(frame);
      frame = {
        at: (!frame.fresh && parent) || recordNode(),
        plies: frame.plies - 1,
        before: '',
        fresh: true,
      };
      at += 1;
    } else if (letter === ')') {
      const back = outer.pop();
      if (!back) note('a ) without its (');
      else {
        if (frame.before) addComment(back.at, frame.before);
        frame = back;
      }
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
      const result = RESULTS[word];
      if (result !== undefined) {
        const known = record.tags.Result;
        if (known === undefined || known === '*') record.tags.Result = result;
        else if (known !== result && result !== '*')
          note(`the turns end in ${word}, and the tag says ${known}, which is kept`);
        at += word.length;
      } else if (numbered) {
        at += numbered[0].length;
      } else if (nag) {
        comment(JUDGEMENTS[nag[1]!] ?? nag[0]);
        at += nag[0].length;
      } else if (/^(\.+|\d+)$/.test(word)) {
        at += word.length;
      } else {
        note(`'${word.slice(0, 40)}' is not a turn, and is left out`);
        at += word.length;
      }
    }
  }
  if (outer.length > 0) note('a variation ( has no end )');
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
