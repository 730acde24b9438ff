// What is drawn on the squares besides the pieces. Plain props: analysis feeds them as well as the game.
import { signal } from '@preact/signals';
import type { Square } from '../fen';

/** Whose a square is expected to be: 1 White's, -1 Black's. `settled` is certain. */
export interface SquareMark {
  square: Square;
  owner: number;
  settled: boolean;
}

/** A turn drawn over the board: its squares in the order of a turn, 0 … 1 for its width and strength. */
export interface BoardArrow {
  squares: Square[];
  fires: boolean;
  weight: number;
  label: string;
  kind: 'best' | 'other' | 'hint';
}

/** Set by analysis; the main board shows them. */
export const boardMarks = signal<SquareMark[]>([]);
export const boardArrows = signal<BoardArrow[]>([]);
