// The board: an SVG that people would print, and an ARIA grid of squares.
import type { ReadonlySignal } from '@preact/signals';
import { type BoardView, coordinates, isDark, type Square, squaresOf } from '../fen';
import type { Family } from '../games';
import { squareLabel } from '../names';
import type { Side } from '../protocol';
import type { TurnEntry } from './entry';
import type { BoardArrow, SquareMark } from './layers';
import { Piece } from './pieces';

export interface BoardProps {
  family: Family;
  view: BoardView;
  /** The side at the bottom. */
  bottom: Side;
  /** Turns are entered here; left out, the board is for looking at. */
  entry?: TurnEntry | undefined;
  /** The squares of the last turn. */
  last?: readonly Square[] | undefined;
  marks?: readonly SquareMark[] | undefined;
  arrows?: readonly BoardArrow[] | undefined;
  coordinates?: boolean | undefined;
  /** Small boards on teaching pages have their own names. */
  label?: string | undefined;
}

/** Units of a square's side. */
export const UNIT = 100;

/** The middle of a square, in units of the SVG. */
export function centre(square: Square, view: BoardView, bottom: Side): { x: number; y: number } {
  const { file, rank } = coordinates(square);
  const column = bottom === 'white' ? file : view.width - 1 - file;
  const row = bottom === 'white' ? view.height - 1 - rank : rank;
  return { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT };
}

export function Board(props: BoardProps) {
  const { view, bottom, family, entry } = props;
  const path: ReadonlySignal<readonly Square[]> | undefined = entry?.path;
  return (
    <svg
      class="board"
      viewBox={`0 0 ${view.width * UNIT} ${view.height * UNIT}`}
      role="grid"
      aria-label={props.label ?? 'Board'}
    >
      {squaresOf(view.width, view.height).map((square) => {
        const { x, y } = centre(square, view, bottom);
        const letter = view.pieces.get(square);
        return (
          <g
            key={square}
            transform={`translate(${x} ${y})`}
            onClick={() => entry?.choose(square)}
            aria-label={squareLabel(square, view, family)}
          >
            <rect
              class={isDark(square) ? 'dark' : 'light'}
              x={-UNIT / 2}
              y={-UNIT / 2}
              width={UNIT}
              height={UNIT}
            />
            {path?.value.includes(square) && <circle class="chosen" r={UNIT / 2} />}
            {letter !== undefined && <Piece letter={letter} family={family} />}
          </g>
        );
      })}
    </svg>
  );
}
