// Squares, pieces, and positions as they are drawn. The engine tells them; what is legal is never decided here.
import type { PositionInfo, Side } from './protocol';

/** A square's name, as `d1`. */
export type Square = string;
/** A letter of the FEN: `Q`, `q`, `*`, `S`, `s`, `P`, `p`, `D`, `d`, `I`, `i`. */
export type Letter = string;

export interface BoardView {
  width: number;
  height: number;
  pieces: ReadonlyMap<Square, Letter>;
  side: Side;
  /** The side to move only moves and does not fire. */
  moveOnly: boolean;
  /** Reversible plies so far (Damone). */
  quiet: number;
  number: number;
}

/** A position as it is drawn. */
export function viewOf({ files, ranks, pieces, side, moveOnly, quiet, number }: PositionInfo): BoardView {
  const standing = squaresOf(files, ranks).map((square, at): [Square, Letter] => [square, pieces[at] ?? '.']);
  return {
    width: files,
    height: ranks,
    pieces: new Map(standing.filter(([, letter]) => letter !== '.')),
    side,
    moveOnly,
    quiet,
    number,
  };
}

/** A position that the page made itself, as the six fields of a FEN: for asking about it, and to be copied. */
export function writeFen(view: BoardView): string {
  const rows: string[] = [];
  for (let rank = view.height - 1; rank >= 0; rank -= 1) {
    let row = '';
    let empty = 0;
    for (let file = 0; file < view.width; file += 1) {
      const piece = view.pieces.get(squareName(file, rank));
      if (piece === undefined) {
        empty += 1;
      } else {
        row += (empty > 0 ? empty : '') + piece;
        empty = 0;
      }
    }
    rows.push(row + (empty > 0 ? empty : ''));
  }
  const side = view.side === 'white' ? 'w' : 'b';
  return `${rows.join('/')} ${side} ${view.moveOnly ? 'm' : '-'} - ${view.quiet} ${view.number}`;
}

/** From file and rank, both from 0. */
export function squareName(file: number, rank: number): Square {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/** File and rank, both from 0. */
export function coordinates(square: Square): { file: number; rank: number } {
  return { file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 };
}

/** The squares that a text names, in its order. */
export function squaresIn(text: string): Square[] {
  return text.toLowerCase().match(/[a-k](?:1[01]|[1-9])/g) ?? [];
}

/** All squares as in a FEN: ranks from the top, each from the left. */
export function squaresOf(width: number, height: number): Square[] {
  const squares: Square[] = [];
  for (let rank = height - 1; rank >= 0; rank -= 1) {
    for (let file = 0; file < width; file += 1) squares.push(squareName(file, rank));
  }
  return squares;
}

/** On Damone's board h1 is dark; on the others a1 is, as in chess. */
export function isDark(square: Square, damone: boolean): boolean {
  const { file, rank } = coordinates(square);
  return (file + rank) % 2 === (damone ? 1 : 0);
}

/** Whose a piece is; `null` for arrows and neutral stones. */
export function sideOf(letter: Letter): Side | null {
  if (letter === '*') return null;
  return letter === letter.toUpperCase() ? 'white' : 'black';
}
