// What the rest of the page calls: games from outside onto the board, the board's game as text.
import { current, isReading, match, matchOf, tab } from '../game/store';
import { gameOf, games, type VariantId } from '../games';
import { session } from '../host';
import { type Checked, check } from './check';
import { writeJson } from './json';
import { type Linked, writeLink } from './link';
import { writePgn } from './pgn';
import type { Found } from './read';
import { type GameRecord, mainLineOf, type RecordNode, turnsOf } from './record';
import { replaceGame } from './replace';
import { writeSgf } from './sgf';
import { recordOf, treeOf } from './transfer';

/** Rejects with the engine's own line if the start is refused. */
export function checkRecord(record: GameRecord): Promise<Checked> {
  return check(record, (query) => session.ask(query));
}

/**
 * A game of a text. Where the text names no rule set and the turns do not fit that on the board, the one is taken that
 * most turns fit, and a note says so. Rejects with the engine's line if no rule set has such a start.
 */
export async function checkFound({ named, read }: Found): Promise<{ checked: Checked; lost: number }> {
  const attempt = async (variant?: VariantId) => {
    const record = read(variant);
    const all = [...turnsOf(record.root)].length;
    const checked = await checkRecord(record);
    return { checked, lost: all - checked.turns };
  };
  let first: { checked: Checked; lost: number } | null = null;
  let refused: unknown = null;
  try {
    first = await attempt();
  } catch (error) {
    if (named) throw error;
    refused = error;
  }
  if (named || first?.lost === 0) return first!;
  let best = first;
  for (const { id } of games) {
    const next = id === first?.checked.record.variant ? null : await attempt(id).catch(() => null);
    if (next && (!best || next.lost < best.lost)) best = next;
    if (best?.lost === 0) break;
  }
  if (!best) throw refused;
  if (best !== first) {
    const { record } = best.checked;
    record.notes.push(`The text names no rule set: it fits ${gameOf(record.variant).title}.`);
  }
  return best;
}

/** Two people, to be looked at. A bare position is taken to be played or analysed. */
export function putOnBoard({ record, last }: Checked, shown?: RecordNode): void {
  const { tree, nodes } = treeOf(record);
  const next = matchOf(tree, record.variant, match.peek().setup.movetime);
  next.tip.fen = last.fen;
  next.tip.toMove = last.currentPlayer;
  next.tip.outcome = last.outcome;
  replaceGame(next, shown ? nodes.get(shown) : undefined);
  if (isReading()) tab.value = 'play';
}

/** The game of a link onto the board. Resolves to what was wrong with it, in sentences; rejects if the start is refused. */
export async function takeLink({ record, shown, problems }: Linked): Promise<string> {
  const checked = await checkRecord(record);
  putOnBoard(checked, shown);
  const wrong = [...problems, ...checked.problems];
  if (wrong.length === 0) return '';
  const left = mainLineOf(checked.record.root).length;
  return `${wrong.join(' ')} On the board: ${left === 1 ? '1 turn' : `${left} turns`}.`;
}

export type OutFormat = 'FEN' | 'Link' | 'PGN' | 'SGF' | 'JSON';

/** File endings; a link is no file. */
export const ENDING: Record<OutFormat, string> = {
  FEN: 'fen',
  Link: 'txt',
  PGN: 'pgn',
  SGF: 'sgf',
  JSON: 'json',
};

export function formatsFor(): OutFormat[] {
  const { family } = gameOf(match.value.setup.variant);
  return family === 'amazons' ? ['Link', 'FEN', 'PGN', 'SGF', 'JSON'] : ['Link', 'FEN', 'PGN', 'JSON'];
}

/** The address of this page with the game in it. */
export function gameLink(): { address: string; whole: boolean } {
  const { record, at } = recordOf(match.peek(), current.peek());
  const { fragment, whole } = writeLink(record, at);
  const page = new URL(document.baseURI);
  page.hash = '';
  return { address: `${page.href.replace(/#$/, '')}#${fragment}`, whole };
}

export function gameText(format: OutFormat): string {
  const { record } = recordOf(match.peek(), current.peek());
  switch (format) {
    case 'FEN':
      return `${current.peek().fen ?? ''}\n`;
    case 'Link':
      return gameLink().address;
    case 'PGN':
      return writePgn(record);
    case 'SGF':
      return writeSgf(record);
    case 'JSON':
      return writeJson(record);
  }
}

/** A name for files: rule set, and the day. */
export function fileName(ending: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${match.peek().setup.variant}-${day}.${ending}`;
}

export function saveFile(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun with the click; the address may go a little later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Says whether the text is in the clipboard: without a secure address browsers refuse. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
