// Any text that holds games or a position: which format it is, and what is in it.
import { messageOf } from '../errors';
import { writtenPosition } from '../fen';
import { gameOf, games, isVariant, type VariantId } from '../games';
import { readJsonValue } from './json';
import { linksIn, readLink } from './link';
import { type PgnPart, readPgn, splitPgn } from './pgn';
import { FormatError, type GameRecord, MAX_TEXT, mainLineOf, recordNode } from './record';
import { parseSgf, readSgf } from './sgf';
import { TURN } from './spelling';

/** The text of a file: UTF-8 or UTF-16 by its mark, UTF-8 if it is that, the encoding that an SGF names, else Latin-1. */
export function decodeFile(bytes: Uint8Array): string {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null;
  if (mark) return new TextDecoder(mark).decode(bytes);
  const latin = new TextDecoder('windows-1252').decode(bytes);
  const named = /^[^\]]{0,20}\(\s*;/.test(latin.slice(0, 100))
    ? /\bCA\s*\[\s*([\w-]+)\s*\]/.exec(latin)?.[1]
    : undefined;
  for (const label of [named, 'utf-8']) {
    if (label === undefined) continue;
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // The name is none, or the bytes are not of this encoding.
    }
  }
  return latin;
}

export type FormatName = 'FEN' | 'JSON' | 'games.jsonl' | 'PGN' | 'SGF' | 'link' | 'turns';

/** One game of a text; it is read in full only when it is chosen. */
export interface Found {
  title: string;
  /** The rule set stands in the text; else it is a guess. */
  named: boolean;
  /** Throws `FormatError`. `variant` takes the place of the guess. */
  read(variant?: VariantId): GameRecord;
}

export interface Reading {
  format: FormatName;
  games: Found[];
  /** Games or lines that could not be read. */
  problems: string[];
}

/** Never throws anything but `FormatError`. `variant` is the rule set where the text names none. */
export function readAny(source: string, variant: VariantId): Reading {
  if (source.length > MAX_TEXT) throw new FormatError(`the text has more than ${MAX_TEXT / 2 ** 20} MiB`);
  const text = source.replace(/^\uFEFF/, '');
  const trimmed = text.trim();
  const isPgn = /^\s*\[\s*\w+\s+"/m.test(text);
  if (trimmed === '') throw new FormatError('there is no text');
  if (/^\(\s*;/.test(trimmed)) return sgf(text);
  // A link may stand in a tag of a game, and in any text of a mail.
  const links = isPgn || trimmed.startsWith('{') ? [] : linksIn(text);
  if (links.length > 0) return linked(links);
  if (/^[{[]\s*["{]/.test(trimmed) && !/^\[\s*\w+\s+"/.test(trimmed)) return json(text);
  const positions = trimmed.split(/\s*\n\s*/);
  if (!isPgn && positions.every(isPosition)) return fens(positions, variant);
  if (isPgn) return pgn(text, variant);
  if (TURN.test(trimmed) || /^(\d+\.|\{|;|%|\*$|\()/.test(trimmed)) {
    const reading = pgn(text, variant);
    return { ...reading, format: 'turns' };
  }
  throw new FormatError('this is no FEN, JSON, PGN, SGF or link that the page knows');
}

/** A line with a FEN, or `position …` with turns behind it. */
function isPosition(text: string): boolean {
  const { fen: place, moves } = writtenPosition(text);
  if (place === null) return true;
  const [board = '', side] = place.split(' ');
  return (
    /^[\dQq*SsPpDdIi]+(?:\/[\dQq*SsPpDdIi]+)+$/.test(board) &&
    (/^[wb]$/i.test(side ?? 'w') || moves.length > 0)
  );
}

function fens(positions: string[], variant: VariantId): Reading {
  return {
    format: 'FEN',
    games: positions.map((text, index) => {
      const { fen: start, moves } = writtenPosition(text);
      return {
        title: positions.length > 1 ? `Position ${index + 1}: ${text.slice(0, 60)}` : 'Position',
        named: false,
        read: (other = variant) => {
          const record: GameRecord = { variant: other, start, root: recordNode(), tags: {}, notes: [] };
          let at = record.root;
          for (const turn of moves) {
            const node = recordNode(turn, index + 1);
            at.children.push(node);
            at = node;
          }
          return record;
        },
      };
    }),
    problems: [],
  };
}

function linked(fragments: string[]): Reading {
  const links = fragments.flatMap((fragment) => readLink(fragment) ?? []);
  if (links.length === 0) throw new FormatError('this link holds no game');
  return {
    format: 'link',
    games: links.map(({ record }, index) => ({
      title: titleOf(record.tags, index),
      named: true,
      read: () => record,
    })),
    problems: links.flatMap(({ problems }) => problems),
  };
}

function pgn(text: string, variant: VariantId): Reading {
  const parts = splitPgn(text);
  return {
    format: 'PGN',
    games: parts.map((part: PgnPart, index) => ({
      title: titleOf(part.tags, index),
      named: part.tags.Variant !== undefined,
      read: (other) => readPgn(part, other ?? variantOf(part, variant)),
    })),
    problems: [],
  };
}

/** Without the tag Variant: the rule set that starts as the tag FEN says, or the one on the board. */
function variantOf(part: PgnPart, variant: VariantId): VariantId {
  const start = part.tags.FEN;
  return games.find((game) => game.start === start)?.id ?? variant;
}

function sgf(text: string): Reading {
  const { trees, problems } = parseSgf(text);
  return {
    format: 'SGF',
    games: trees.map((tree, index) => ({
      title: titleOf(
        { White: tree.properties.get('PB')?.[0] ?? '', Black: tree.properties.get('PW')?.[0] ?? '' },
        index,
      ),
      named: true,
      read: () => readSgf(tree),
    })),
    problems,
  };
}

function json(text: string): Reading {
  try {
    const value: unknown = JSON.parse(text);
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return {
      format: 'JSON',
      games: list.map((entry, index) => ({
        title: titleOfJson(entry, index),
        named: true,
        read: () => readJsonValue(entry),
      })),
      problems: [],
    };
  } catch (error) {
    if (!text.trim().includes('\n')) throw new FormatError(`not JSON: ${messageOf(error)}`);
  }
  return jsonLines(text);
}

/** A game a line. Damaged lines do not hide the others. */
function jsonLines(text: string): Reading {
  const found: Found[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      found.push({
        title: titleOfJson(value, found.length),
        named: true,
        read: () => readJsonValue(value, index + 1),
      });
    } catch (error) {
      problems.push(`Line ${index + 1}: not JSON: ${messageOf(error)}`);
    }
  }
  if (found.length === 0) throw new FormatError(problems[0]?.replace(/^Line \d+: /, '') ?? 'no game', 1);
  return { format: 'games.jsonl', games: found, problems };
}

function titleOfJson(value: unknown, index: number): string {
  if (typeof value !== 'object' || value === null) return `Game ${index + 1}`;
  const { white, black, result, tags, variant, moves } = value as Record<string, unknown>;
  const named = typeof tags === 'object' && tags !== null ? (tags as Record<string, unknown>) : {};
  const text = (first: unknown, second: unknown) =>
    typeof first === 'string' ? first : typeof second === 'string' ? second : '';
  const title = titleOf(
    {
      White: text(white, named.White),
      Black: text(black, named.Black),
      Result: text(result, named.Result),
      Variant: text(variant, ''),
    },
    index,
  );
  return Array.isArray(moves) ? `${title}, ${moves.length} turns` : title;
}

function titleOf(tags: Record<string, string>, index: number): string {
  const players =
    tags.White || tags.Black ? `${tags.White || '?'} – ${tags.Black || '?'}` : `Game ${index + 1}`;
  const round = tags.Round && !/^[?-]$/.test(tags.Round) ? `${tags.Round}: ` : '';
  const result = tags.Result && tags.Result !== '*' ? `, ${tags.Result}` : '';
  const variant = tags.Variant?.toLowerCase() ?? '';
  const game = isVariant(variant) ? `, ${gameOf(variant).title}` : '';
  return `${round}${players}${result}${game}`;
}

/** For people: how much is in a game. */
export function sizeOf(record: GameRecord): string {
  const turns = mainLineOf(record.root).length;
  return turns === 1 ? '1 turn' : `${turns} turns`;
}
