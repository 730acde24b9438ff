// Games of a match as `games.jsonl` holds them.

import { type GameTree, newTree, play } from '../game/tree';
import { gameOf, isVariant } from '../games';

export interface MatchGame {
  game: number;
  variant: string;
  fen: string;
  white: string;
  black: string;
  moves: string[];
  result: string;
  detail: string;
}

/** The games of whole lines; what is not a game is left out, so that one bad line hides no other. */
export function readGames(text: string): MatchGame[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    try {
      const game = readGame(JSON.parse(line));
      return game ? [game] : [];
    } catch {
      return [];
    }
  });
}

function readGame(value: unknown): MatchGame | null {
  if (typeof value !== 'object' || value === null) return null;
  const record = value as Record<string, unknown>;
  const text = (key: string) => (typeof record[key] === 'string' ? (record[key] as string) : '');
  const moves = Array.isArray(record.moves) ? record.moves.map(moveOf) : [];
  if (typeof record.game !== 'number' || !isVariant(text('variant')) || moves.includes('')) return null;
  return {
    game: record.game,
    variant: text('variant'),
    fen: text('fen'),
    white: text('white'),
    black: text('black'),
    moves,
    result: text('result'),
    detail: text('detail'),
  };
}

function moveOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { move } = value as { move?: unknown };
  return typeof move === 'string' ? move : '';
}

/** The game as a tree, with a comment on who played. */
export function treeOf(record: MatchGame): GameTree {
  const start = isVariant(record.variant) ? gameOf(record.variant).start : '';
  const tree = newTree(
    record.variant,
    record.fen === '' || record.fen === start ? null : record.fen,
    record.fen || start,
  );
  tree.root.comment = `Game ${record.game + 1}: ${record.white} – ${record.black}, ${record.result}. ${record.detail}`;
  let node = tree.root;
  for (const move of record.moves) node = play(tree, node, move);
  return tree;
}
