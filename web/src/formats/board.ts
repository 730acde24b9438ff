// Functions that the rest of the page calls: games from outside onto the board, the board's game as text.

import { batch, signal } from '@preact/signals';
import { current, isReading, type Match, match, matchOf, tab } from '../game/store';
import {
  type GameNode,
  type GameTree,
  know,
  lastOf,
  line,
  mainLine,
  newTree,
  play,
  turnsTo,
} from '../game/tree';
import type { VariantId } from '../games';
import { session } from '../host';
import { phrase } from '../messages';
import type { LegalMoves } from '../protocol';
import { isSpelled, type Linked, writeLink } from './link';
import { type Reading, readLinks } from './reading';
import { dayOf, recordOf, tagsOf, treeOf } from './record';
import { replaceGame } from './replace';

/** A game as the engine has read it, for the board. */
export interface Ready {
  tree: GameTree;
  /** The end of its main line. */
  last: LegalMoves;
}

export async function ready({ record }: Reading['games'][number]): Promise<Ready> {
  const tree = treeOf(record);
  const { variant, start } = tree;
  const moves = turnsTo(lastOf(tree.root));
  const position = {
    variant,
    ...(start === null ? {} : { fen: start }),
    ...(moves.length > 0 ? { moves } : {}),
  };
  return { tree, last: await session.ask({ action: 'legal_moves', ...position, includePosition: true }) };
}

/** The game on the board that came by a link, from a file or a problem: while it is there, it stands in the address. */
export const fromElsewhere = signal<Match | null>(null);

/** Two people, to be looked at. A bare position is taken to be played or analysed. */
export function putOnBoard({ tree, last }: Ready, shown?: GameNode): void {
  const next = matchOf(tree, match.peek().setup.movetime);
  know(next.tip, last);
  // An end by the rules says more than the ending in the record.
  if (next.tip.outcome !== null) next.ending = null;
  fromElsewhere.value = next;
  replaceGame(next, shown);
  if (isReading()) tab.value = 'play';
}

/** A position with the turns played from it onto the board, to be analysed. Rejects if the engine refuses it. */
export async function analyse(variant: VariantId, fen: string, moves: readonly string[]): Promise<void> {
  const tree = newTree(variant, fen, fen);
  const ask = (played: readonly string[]) =>
    session.ask({
      action: 'legal_moves',
      variant,
      fen,
      ...(played.length > 0 ? { moves: [...played] } : {}),
      includePosition: true,
    });
  know(tree.root, await ask([]));
  for (const move of moves) play(tree, lastOf(tree.root), move);
  const last = await ask(moves);
  // Once for both, so that the browser's history has one step.
  batch(() => {
    putOnBoard({ tree, last });
    tab.value = 'analyse';
  });
}

/** The game of a link onto the board. Resolves to what was wrong with it, in sentences; rejects if the start is refused. */
export async function takeLink(linked: Linked): Promise<string> {
  const { games, warnings } = await readLinks([linked]);
  const wrong = warnings.map(({ text }) => text).join(' ');
  const [found] = games;
  if (!found) throw new Error(wrong);
  const checked = await ready(found);
  putOnBoard(checked, nodeOf(checked.tree, linked.shown));
  return wrong && `${wrong} ${phrase('link.onBoard', { turns: sizeOf(checked.tree) })}`;
}

/** The node that a link shows, by its turns; spelled as in the link, and cut off where they are not legal. */
export function nodeOf(tree: GameTree, shown: GameNode): GameNode {
  let at = tree.root;
  for (const { turn } of line(shown).slice(1)) {
    const next = at.children.find((child) => isSpelled(child.turn, turn));
    if (!next) break;
    at = next;
  }
  return at;
}

/** For people: how much is in a game. */
export function sizeOf(tree: GameTree): string {
  return phrase('import.turns', { count: turnsIn(tree) });
}

/** Of the main line. */
export function turnsIn(tree: GameTree): number {
  return mainLine(tree.root).length - 1;
}

export const OUT_FORMATS = ['Link', 'FEN', 'PGN', 'SGF', 'JSON'] as const;
export type OutFormat = (typeof OUT_FORMATS)[number];

/** File endings; a link is no file. */
export const ENDING: Record<OutFormat, string> = {
  FEN: 'fen',
  Link: 'txt',
  PGN: 'pgn',
  SGF: 'sgf',
  JSON: 'json',
};

/** The address of the whole page with the game in it. */
export function gameLink(): { address: string; whole: boolean } {
  const { fragment, whole } = writeLink(match.peek().tree, current.peek());
  const page = new URL(document.baseURI);
  page.hash = '';
  page.search = '';
  return { address: `${page.href.replace(/#$/, '')}#${fragment}`, whole };
}

/** Rejects with the engine's line if it refuses. */
export async function gameText(format: OutFormat): Promise<string> {
  switch (format) {
    case 'FEN':
      return `${current.peek().fen ?? ''}\n`;
    case 'Link':
      return gameLink().address;
    case 'PGN':
      return written('pgn');
    case 'SGF':
      return written('sgf');
    case 'JSON':
      return written('jsonl');
  }
}

function written(format: string): Promise<string> {
  return recordText(match.peek(), format);
}

/** A game as the engine writes it. */
export async function recordText(game: Match, format: string, date?: Date): Promise<string> {
  const record = recordOf(game.tree, tagsOf(game, date));
  return (await session.ask({ action: 'write_game', format, record })).text;
}

/** A name for files: what is in them, the rule set of the board if nothing else, and the day. */
export function fileName(ending: string, content: string = match.peek().setup.variant): string {
  return `${content}-${dayOf(new Date()).join('-')}.${ending}`;
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
