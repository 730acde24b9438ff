// What is drawn on the squares besides the pieces. Plain props: analysis feeds them as well as the game.
import { signal } from '@preact/signals';
import type { BoardView, Letter, Square } from '../fen';
import type { Side } from '../protocol';
import { centre, UNIT } from './geometry';

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

/** A turn drawn over the board: its squares in the order of a turn, 0 … 1 for its width and strength. */
export interface BoardArrow {
  squares: Square[];
  fires: boolean;
  weight: number;
  label: string;
  /** Lines of the engine are `best` and `other`; `threat` is the opponent's, `played` was played, `hint` was tried. */
  kind: 'best' | 'other' | 'hint' | 'threat' | 'played';
}

/** The main board shows them: marks and labels of the analysis, and arrows besides those of the analysis. */
export const boardMarks = signal<SquareMark[]>([]);
export const boardLabels = signal<SquareLabel[]>([]);
export const boardArrows = signal<BoardArrow[]>([]);

interface Place {
  view: BoardView;
  bottom: Side;
}

/** From, to, and the square of the fire. */
export function LastTurn({ squares, view, bottom }: Place & { squares: readonly Square[] }) {
  return (
    <g class="last">
      {squares.map((square) => {
        const { x, y } = centre(square, view, bottom);
        return <rect key={square} x={x - UNIT / 2} y={y - UNIT / 2} width={UNIT} height={UNIT} />;
      })}
    </g>
  );
}

interface TargetsProps extends Place {
  squares: ReadonlySet<Square>;
  pieces: ReadonlyMap<Square, Letter>;
  firing: boolean;
}

/** Where the next choice may fall: dots for going, small crosses for firing. */
export function Targets({ squares, pieces, view, bottom, firing }: TargetsProps) {
  return (
    <g class={firing ? 'targets firing' : 'targets'}>
      {[...squares].map((square) => {
        const { x, y } = centre(square, view, bottom);
        if (pieces.has(square)) return <circle key={square} class="around" cx={x} cy={y} r="40" />;
        return firing ? (
          <path key={square} d={`M${x - 11} ${y - 11}l22 22M${x + 11} ${y - 11}l-22 22`} />
        ) : (
          <circle key={square} cx={x} cy={y} r="13" />
        );
      })}
    </g>
  );
}
