// Squares and points of the drawing: a square is 100 units wide, the top left corner of the board is the origin.

import type { Side } from '../protocol';
import { type BoardView, coordinates, type Square, squareName } from '../squares';

/** Units of a square's side. */
export const UNIT = 100;

export interface Point {
  x: number;
  y: number;
}

export type Size = Pick<BoardView, 'width' | 'height'>;

/** Room for the coordinates of a board ten squares wide, and for the frame where there are none. */
const MARGIN = 44;
const RIM = 7;
/** From the squares to the outer edge of the frame. */
export const EDGE = 5;

/** The drawing with its frame: where it begins, left of and above the origin, and how large it is. */
export interface Frame extends Size {
  left: number;
  top: number;
  /** Of a letter among the coordinates. On small boards squares are drawn larger; coordinates stay as they are. */
  scale: number;
}

export function frameOf(view: Size, coordinates: boolean): Frame {
  const scale = Math.max(0.62, Math.max(view.width, view.height) / 10);
  const margin = coordinates ? MARGIN * scale + RIM : RIM;
  const [width, height] = [view.width * UNIT + margin + RIM, view.height * UNIT + margin + RIM];
  return { left: -margin, top: -RIM, width, height, scale };
}

/** What a bar as long as the frame leaves free at its ends, by CSS: beside the drawing, and above it. */
export function barInsets(view: Size, coordinates: boolean): { beside: string; above: string } {
  const { left, top, width, height } = frameOf(view, coordinates);
  const share = (part: number, whole: number) => `${(100 * (part - EDGE)) / whole}%`;
  const below = height + top - view.height * UNIT;
  return {
    beside: `${share(-top, height)} 0 ${share(below, height)}`,
    above: `0 ${share(RIM, width)} 0 ${share(-left, width)}`,
  };
}

/** The middle of a square. */
export function centre(square: Square, view: Size, bottom: Side): Point {
  const { file, rank } = coordinates(square);
  const column = bottom === 'white' ? file : view.width - 1 - file;
  const row = bottom === 'white' ? view.height - 1 - rank : rank;
  return { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT };
}

/** The square at a point, or `null` off the board. */
export function squareAt({ x, y }: Point, view: Size, bottom: Side): Square | null {
  const column = Math.floor(x / UNIT);
  const row = Math.floor(y / UNIT);
  if (column < 0 || row < 0 || column >= view.width || row >= view.height) return null;
  return bottom === 'white'
    ? squareName(column, view.height - 1 - row)
    : squareName(view.width - 1 - column, row);
}

/** The square `right` and `down` squares away on the screen; stops at the edge. */
export function neighbour(square: Square, right: number, down: number, view: Size, bottom: Side): Square {
  const { x, y } = centre(square, view, bottom);
  const column = clamp(Math.floor(x / UNIT) + right, view.width - 1);
  const row = clamp(Math.floor(y / UNIT) + down, view.height - 1);
  const point = { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT };
  return squareAt(point, view, bottom) ?? square;
}

export function isInside(square: Square, view: Size): boolean {
  const { file, rank } = coordinates(square);
  return file < view.width && rank < view.height;
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}
