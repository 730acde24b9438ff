// The keys of the board, as ARIA wants them in a grid.

import type { Side } from '../protocol';
import { type BoardView, coordinates, type Square } from '../squares';
import { neighbour } from './geometry';

const FAR = 11;

/** Where a key leads from a square; `null` if it leads nowhere. Ctrl goes to the corners. */
export function leadsTo(
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  from: Square,
  view: BoardView,
  bottom: Side,
): Square | null {
  const go = (right: number, down: number) => neighbour(from, right, down, view, bottom);
  const corner = ctrlKey ? FAR : 0;
  switch (key) {
    case 'ArrowLeft':
      return go(-1, 0);
    case 'ArrowRight':
      return go(1, 0);
    case 'ArrowUp':
      return go(0, -1);
    case 'ArrowDown':
      return go(0, 1);
    case 'Home':
      return go(-FAR, -corner);
    case 'End':
      return go(FAR, corner);
    case 'PageUp':
      return go(0, -FAR);
    case 'PageDown':
      return go(0, FAR);
    default:
      return null;
  }
}

/** The next of some squares in the order of reading, for going from one choice to the next. */
export function nextOf(
  squares: ReadonlySet<Square>,
  from: Square,
  back: boolean,
  bottom: Side,
): Square | null {
  const order = (square: Square) => {
    const { file, rank } = coordinates(square);
    const [column, row] = bottom === 'white' ? [file, FAR - rank] : [FAR - file, rank];
    return row * (FAR + 1) + column;
  };
  const sorted = [...squares].sort((a, b) => order(a) - order(b));
  if (back) sorted.reverse();
  const beyond = (square: Square) => (back ? order(square) < order(from) : order(square) > order(from));
  return sorted.find(beyond) ?? sorted[0] ?? null;
}
