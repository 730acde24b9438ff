// A text or a file with games or a position: the engine reads it, and says line and column of what it does not
// understand. Links are the page's own: what they hold goes to the engine as a record, so that only legal turns remain.

import { gameOf, isVariant, type VariantId } from '../games';
import { session } from '../host';
import { keepRules } from '../host/own';
import { phrase } from '../messages';
import type { GameRecord, GamesRead, GameWarning, ReadGamesQuery } from '../protocol';
import { type Linked, linksIn, readLink, rulesOfLink } from './link';
import { recordOf, variantOf } from './record';

/** A text as it was pasted, or a file, of whose encoding the engine finds out. */
export type Source = string | File;

/** The engine reads no more. */
const MOST_BYTES = 16 * 2 ** 20;
/** Longer texts travel as Base64: as JSON they may grow beyond what a message may have. */
const MOST_PLAIN = 2 ** 20;
/** In longer texts no links are looked for. */
const MOST_WITH_LINKS = 200_000;
/** Games that are read at a time. */
const COUNT = 1000;

export interface Found {
  /** From 0. */
  number: number;
  title: string;
  record: GameRecord;
}

export interface Warning {
  /** The game's number; left out if it is of none. */
  game?: number | undefined;
  /** In a sentence, with its place. */
  text: string;
}

export interface Reading {
  /** For people; empty if nothing could be read. */
  format: string;
  /** Games of the whole text. */
  total: number;
  games: Found[];
  warnings: Warning[];
  /** Reads on; `null` if all is read. Resolves to what is read by then. */
  more: (() => Promise<Reading>) | null;
}

/** The file itself, or the one inside it if gzip has packed it; what it cannot unpack it leaves as it is. */
export async function unpacked(file: File): Promise<File> {
  const begin = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (begin[0] !== 0x1f || begin[1] !== 0x8b) return file;
  const text = new Response(file.stream().pipeThrough(new DecompressionStream('gzip')));
  return text.blob().then(
    (inside) => new File([inside], file.name.replace(/\.gz$/, '')),
    () => file,
  );
}

/** Rejects with a sentence if the text is too long, or the engine refuses. */
export async function read(source: Source, variant: VariantId): Promise<Reading> {
  const file = typeof source === 'string' ? new File([source], '') : source;
  if (file.size > MOST_BYTES) throw new Error(phrase('import.tooLong', { size: MOST_BYTES / 2 ** 20 }));
  const links = file.size <= MOST_WITH_LINKS ? await linksOf(await file.text()) : [];
  if (links.length > 0) return readLinks(links);
  const plain = typeof source === 'string' && source.length <= MOST_PLAIN;
  const query: ReadGamesQuery = {
    action: 'read_games',
    ...(plain ? { text: source } : { base64: await base64Of(file) }),
    ...(file.name ? { name: file.name.slice(-200) } : {}),
    variant,
    count: COUNT,
  };
  return readOn(query, { format: '', total: 0, games: [], warnings: [], more: null });
}

async function readOn(query: ReadGamesQuery, before: Reading): Promise<Reading> {
  const { format = '', total, games, warnings, next } = await session.ask(query);
  for (const { record } of games) await keepRules(variantOf(record));
  const reading: Reading = {
    format: FORMATS[format] ?? '',
    total,
    games: [...before.games, ...games.map((game) => foundOf(game, format, total))],
    warnings: [...before.warnings, ...warnings.map((warning) => warningOf(warning, format !== ''))],
    more: null,
  };
  if (next !== undefined) reading.more = () => readOn({ ...query, from: next }, reading);
  return reading;
}

const FORMATS: Record<string, string> = { pgn: 'PGN', sgf: 'SGF', jsonl: 'JSON', fen: 'FEN' };

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(phrase('import.unreadable')));
    reader.readAsDataURL(file);
  });
}

/** A link may stand in a tag of a game, and in any text of a mail. */
async function linksOf(text: string): Promise<Linked[]> {
  if (/^\s*(?:\{|\(\s*;)/.test(text) || /^\s*\[\s*\w+\s+"/m.test(text)) return [];
  const links = linksIn(text);
  for (const link of links) await keepRules(rulesOfLink(link));
  return links.flatMap((link) => readLink(link) ?? []);
}

/** The games of links, with what is legal of their turns. */
export async function readLinks(links: readonly Linked[]): Promise<Reading> {
  const text = links.map(({ tree }) => JSON.stringify(recordOf(tree))).join('\n');
  const answer: GamesRead = await session.ask({ action: 'read_games', text, count: COUNT });
  for (const { record } of answer.games) await keepRules(variantOf(record));
  return {
    format: phrase('import.link'),
    total: links.length,
    games: answer.games.map((game) => foundOf(game, 'link', links.length)),
    warnings: [
      ...links.flatMap(({ problems }, game) => problems.map((problem) => ({ game, text: problem }))),
      ...answer.warnings.map((warning) => warningOf(warning, false)),
    ],
    more: null,
  };
}

/** Line and column are those of the text, unless that is no text of the reader. */
function warningOf({ game, line, column, message }: GameWarning, placed: boolean): Warning {
  return { game, text: sentence(placed ? phrase('import.place', { line, column, message }) : message) };
}

function foundOf({ number, record }: GamesRead['games'][number], format: string, total: number): Found {
  const { white, black, result, tags = {}, moves, fen } = record;
  const variant = variantOf(record);
  const named = white || black;
  const turns = phrase('import.turns', { count: moves.length });
  const round = tags.Round ?? (record.game === undefined ? '' : String(record.game + 1));
  const title = [
    named ? `${white || '?'} – ${black || '?'}` : phrase('import.game', { number: number + 1 }),
    result && result !== '*' ? result : '',
    isVariant(variant) ? gameOf(variant).title : variant,
    turns,
  ]
    .filter(Boolean)
    .join(', ');
  if (format === 'fen' && moves.length === 0)
    return { number, title: positionTitle((fen ?? '').slice(0, 60), number, total), record };
  const isPlain = /^[?-]?$/.test(round) || round === String(number + 1);
  return { number, title: isPlain ? title : phrase('import.round', { round, title }), record };
}

function positionTitle(fen: string, number: number, total: number): string {
  if (total === 1) return phrase('import.positionTitle', { fen });
  return phrase('import.positionNumber', { number: number + 1, fen });
}

/** With a capital and a full stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** `12 games, 3 warnings`. */
export function countOf({ total, games, warnings, more }: Reading): string {
  return [
    phrase('import.games', { count: more ? total : games.length }),
    ...(more ? [phrase('import.read', { count: games.length })] : []),
    ...(warnings.length > 0 ? [phrase('import.warnings', { count: warnings.length })] : []),
  ].join(', ');
}
