// Marks, labels and arrows on the board, besides the pieces. Plain props: analysis feeds them as well as the game.
import { signal } from '@preact/signals';
import type { Square } from '../squares';

/** Whose a square is expected to be: 1 White's, -1 Black's, 0 nobody's yet. `settled` is certain. */
export interface SquareMark {
  square: Square;
  owner: number;
  settled: boolean;
}

/** A few characters on a square, as the turns that a region lasts. `owner` as in marks, 0 is nobody's. */
export interface SquareLabel {
  square: Square;
  text: string;
  owner: number;
}

/** A turn drawn over the board, or a square alone: the squares in the order of a turn, 0 … 1 for its width and strength. */
export interface BoardArrow {
  squares: Square[];
  fires: boolean;
  weight: number;
  label: string;
  /**
   * Lines of the engine are `best` and `other`; `threat` is the opponent's, `played` was played, `hint` was tried, `ahead`
   * is entered before its time, `own` people drew. */
  kind: 'best' | 'other' | 'hint' | 'threat' | 'played' | 'ahead' | 'own';
}

/** A drawing by people: an arrow, or a ring around a square. */
export function ownArrow(from: Square, to: Square): BoardArrow {
  return { squares: from === to ? [from] : [from, to], fires: false, weight: 0.6, label: '', kind: 'own' };
}

/** The main board shows them: marks and labels of the analysis, and arrows besides those of the analysis. */
export const boardMarks = signal<SquareMark[]>([]);
export const boardLabels = signal<SquareLabel[]>([]);
export const boardArrows = signal<BoardArrow[]>([]);
