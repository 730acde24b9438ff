// The position in words.

import type { Game } from '../games';
import { phrase } from '../messages';
import { pieceName, piecesName, sideName, squareLabel } from '../names';
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
    .map(([letter, squares]) =>
      phrase('text.piecesOf', {
        piece: piecesName(letter, rules, squares.length),
        squares: squares.join(', '),
      }),
    );
  return lines.join('\n') || phrase('text.noPieces');
}

/** A rank or a file, square by square, runs of empty squares together. */
export function lineWords(squares: readonly Square[], view: BoardView, rules: Game): string {
  const parts: string[] = [];
  let empty: Square[] = [];
  const flush = () => {
    if (empty.length === 1) parts.push(phrase('text.cellEmpty', { square: empty[0]! }));
    else if (empty.length > 1) parts.push(phrase('text.from', { from: empty[0]!, to: empty.at(-1)! }));
    empty = [];
  };
  for (const square of squares) {
    const letter = view.pieces.get(square);
    if (letter === undefined) {
      empty.push(square);
    } else {
      flush();
      parts.push(phrase('text.cell', { square, piece: pieceName(letter, rules) }));
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
  return ranks
    .map((rank) => phrase('text.rank', { rank, words: lineWords(rankSquares(rank, view), view, rules) }))
    .join('\n');
}

export function squareWords(square: Square, view: BoardView, rules: Game): string {
  const { file, rank } = coordinates(square);
  if (file >= view.width || rank >= view.height || rank < 0) return phrase('text.noSquare', { square });
  return phrase('text.squareWords', { words: squareLabel(square, view, rules) });
}

export function toMoveWords(view: BoardView): string {
  return phrase(view.moveOnly ? 'text.toMoveOnly' : 'foot.toMove', { side: sideName[view.side] });
}
