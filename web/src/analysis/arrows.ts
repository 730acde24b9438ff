// Lines of the engine as arrows on the board.
import type { BoardArrow } from '../board/layers';
import type { MoveInfo } from '../protocol';
import { fires, squaresOfTurn } from '../turns';

export function turnArrow(turn: string, kind: BoardArrow['kind'], label = '', weight = 1): BoardArrow {
  return { squares: squaresOfTurn(turn), fires: fires(turn), weight, label, kind };
}

/** The first turn of each line: the best one last, so that it lies on top; as wide as the search looked at it. */
export function lineArrows(lines: readonly MoveInfo[]): BoardArrow[] {
  const most = Math.max(1, ...lines.map((line) => line.visits));
  return lines
    .map((line) =>
      turnArrow(
        line.move,
        line.order === 0 ? 'best' : 'other',
        lines.length > 1 ? String(line.order + 1) : '',
        // The square root keeps lines apart that the search hardly looked at; what is proven needed no visits.
        line.result ? 1 : Math.sqrt(line.visits / most),
      ),
    )
    .reverse();
}
