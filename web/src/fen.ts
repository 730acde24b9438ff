// Reading a FEN for display. What is legal is never decided here.
import type { Side } from './protocol';

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

const PIECES = 'Qq*SsPpDdIi';

/** Throws an `Error` with one clear line if the board cannot be drawn. */
export function readFen(fen: string): BoardView {
  const [board = '', side = 'w', flag = '-', , quiet = '0', number = '1'] = fen.trim().split(/\s+/);
  const rows = board.split('/');
  const height = rows.length;
  const pieces = new Map<Square, Letter>();
  let width = 0;
  rows.forEach((row, index) => {
    let file = 0;
    for (const [token] of row.matchAll(/\d+|./g)) {
      if (/^\d/.test(token)) {
        file += Number(token);
      } else if (PIECES.includes(token)) {
        pieces.set(squareName(file, height - 1 - index), token);
        file += 1;
      } else {
        throw new Error(`FEN: '${token}' is not a piece`);
      }
    }
    if (index > 0 && file !== width)
      throw new Error(`FEN: rank ${height - index} has ${file} squares, not ${width}`);
    width = file;
  });
  if (width < 1 || width > 11 || height > 11) throw new Error(`FEN: a board of ${width}×${height}`);
  return {
    width,
    height,
    pieces,
    side: side === 'b' ? 'black' : 'white',
    moveOnly: flag === 'm',
    quiet: Number(quiet) || 0,
    number: Number(number) || 1,
  };
}

/** Writes the six fields. */
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
