// Squares and points of the drawing.
import { type BoardView, coordinates, type Square, squareName } from '../fen';
import type { Side } from '../protocol';

/** Units of a square's side. */
export const UNIT = 100;

export interface Point {
  x: number;
  y: number;
}

type Size = Pick<BoardView, 'width' | 'height'>;

/** The middle of a square. */
export function centre(square: Square, view: Size, bottom: Side): Point {
  const { file, rank } = coordinates(square);
  const column = bottom === 'white' ? file : view.width - 1 - file;
  const row = bottom === 'white' ? view.height - 1 - rank : rank;
  return { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT };
}

/** The square at a point, or `null` off the board. */
export function squareAt(point: Point, view: Size, bottom: Side): Square | null {
  const column = Math.floor(point.x / UNIT);
  const row = Math.floor(point.y / UNIT);
  if (column < 0 || row < 0 || column >= view.width || row >= view.height) return null;
  return bottom === 'white'
    ? squareName(column, view.height - 1 - row)
    : squareName(view.width - 1 - column, row);
}

/** The neighbour in a direction on the screen, or the square itself at the edge. */
export function neighbour(square: Square, right: number, down: number, view: Size, bottom: Side): Square {
  const { x, y } = centre(square, view, bottom);
  return squareAt({ x: x + right * UNIT, y: y + down * UNIT }, view, bottom) ?? square;
}
