// The position in words.

import type { Game } from '../games';
import { pieceName, sideName, squareLabel } from '../names';
import { type BoardView, coordinates, type Letter, type Square, squareName, squaresOf } from '../squares';

/** Where the pieces stand, a line for each kind: "White amazons: a4, d1." */
export function piecesWords(view: BoardView, rules: Game): string {
  const places = new Map<Letter, Square[]>();
  for (const square of squaresOf(view.width, view.height)) {
    const letter = view.pieces.get(square);
    if (letter !== undefined) places.set(letter, [...(places.get(letter) ?? []), square]);
  }
  const order = 'QDIPSqdips*';
  const lines = [...places]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(
      ([letter, squares]) => `${plural(pieceName(letter, rules), squares.length)}: ${squares.join(', ')}.`,
    );
  return lines.join('\n') || 'The board is empty.';
}

function plural(name: string, count: number): string {
  const ending: Record<string, string> = { pedina: 'pedine', dama: 'dame', damone: 'damoni' };
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  if (count === 1) return capital;
  const last = capital.split(' ').at(-1) ?? '';
  return ending[last] ? capital.slice(0, -last.length) + ending[last] : `${capital}s`;
}

/** A rank or a file, square by square, runs of empty squares together. */
export function lineWords(squares: readonly Square[], view: BoardView, rules: Game): string {
  const parts: string[] = [];
  let empty: Square[] = [];
  const flush = () => {
    if (empty.length === 1) parts.push(`${empty[0]} empty`);
    else if (empty.length > 1) parts.push(`${empty[0]} to ${empty.at(-1)} empty`);
    empty = [];
  };
  for (const square of squares) {
    const letter = view.pieces.get(square);
    if (letter === undefined) {
      empty.push(square);
    } else {
      flush();
      parts.push(`${square} ${pieceName(letter, rules)}`);
    }
  }
  flush();
  return `${parts.join(', ')}.`;
}

/** `rank` from 1. */
export function rankSquares(rank: number, view: BoardView): Square[] {
  if (rank < 1 || rank > view.height) return [];
  return Array.from({ length: view.width }, (_, file) => squareName(file, rank - 1));
}

/** `file` as a letter. */
export function fileSquares(file: string, view: BoardView): Square[] {
  const column = file.charCodeAt(0) - 97;
  if (column < 0 || column >= view.width) return [];
  return Array.from({ length: view.height }, (_, rank) => squareName(column, rank));
}

export function boardWords(view: BoardView, rules: Game): string {
  const ranks = Array.from({ length: view.height }, (_, at) => view.height - at);
  return ranks.map((rank) => `Rank ${rank}: ${lineWords(rankSquares(rank, view), view, rules)}`).join('\n');
}

export function squareWords(square: Square, view: BoardView, rules: Game): string {
  const { file, rank } = coordinates(square);
  if (file >= view.width || rank >= view.height || rank < 0)
    return `There is no square ${square} on this board.`;
  return `${squareLabel(square, view, rules)}.`;
}

export function toMoveWords(view: BoardView): string {
  return `${sideName[view.side]} to move${view.moveOnly ? ', without a shot this time' : ''}.`;
}
