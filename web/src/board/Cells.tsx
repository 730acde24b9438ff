// The squares as people and their tools meet them: a grid of cells over the drawing, with targets and rings in them.
import type { Square } from '../squares';
import { squareName } from '../squares';
import { type Point, UNIT } from './geometry';

const HALF = UNIT / 2;

export type CellKind = 'still' | 'own' | 'ahead' | 'move' | 'fire';

interface CellsProps {
  files: readonly number[];
  ranks: readonly number[];
  at: (square: Square) => Point;
  label: (square: Square) => string;
  kind: (square: Square) => CellKind;
  occupied: (square: Square) => boolean;
  chosen: Square | undefined;
  focus: Square;
  /** By key: not by a pointer. */
  onFocus: (square: Square, byKey: boolean) => void;
  onClick: (square: Square) => void;
}

export function Cells({ files, ranks, ...cells }: CellsProps) {
  return (
    <>
      {ranks.map((rank, row) => (
        <g role="row" key={rank} aria-rowindex={row + 1}>
          {files.map((file, column) => (
            <Cell key={file} square={squareName(file, rank)} column={column + 1} {...cells} />
          ))}
        </g>
      ))}
    </>
  );
}

interface CellProps extends Omit<CellsProps, 'files' | 'ranks'> {
  square: Square;
  column: number;
}

function Cell({ square, column, at, label, kind, occupied, chosen, focus, onFocus, onClick }: CellProps) {
  const { x, y } = at(square);
  const now = kind(square);
  return (
    <g
      role="gridcell"
      aria-colindex={column}
      class={`cell ${now}`}
      data-square={square}
      // In SVG the attribute has small letters only.
      tabindex={square === focus ? 0 : -1}
      aria-label={label(square)}
      aria-selected={square === chosen}
      transform={`translate(${x} ${y})`}
      onFocus={(event) => onFocus(square, event.currentTarget.matches(':focus-visible'))}
      // A pointer has been heard already; tools such as screen readers click without one.
      onClick={(event) => event.detail === 0 && onClick(square)}
    >
      <rect class="hit" x={-HALF} y={-HALF} width={UNIT} height={UNIT} />
      {now === 'move' && <circle class="dot" r={occupied(square) ? 42 : 13} />}
      {now === 'fire' && <path class="aim" d={AIM} />}
      <rect class="ring" x={-HALF + 5} y={-HALF + 5} width={UNIT - 10} height={UNIT - 10} rx={4} />
    </g>
  );
}

/** Cross hairs, told from a dot by shape as well as by colour. */
const AIM = 'M-15 0H-5M5 0H15M0 -15V-5M0 5V15';
