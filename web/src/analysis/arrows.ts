// Lines of the engine as arrows on the board.
import type { BoardArrow } from '../board/layers';
import type { MoveInfo, TurnInfo } from '../protocol';
import { lineOf, squaresOfTurn } from '../turns';

export function turnArrow(turn: TurnInfo, kind: BoardArrow['kind'], label = '', weight = 1): BoardArrow {
  return { squares: squaresOfTurn(turn), fires: turn.fire !== undefined, weight, label, kind };
}

/** The first turn of a line. */
export function lineArrow(line: MoveInfo, kind: BoardArrow['kind'], label = '', weight = 1): BoardArrow[] {
  return lineOf(line)
    .slice(0, 1)
    .map((turn) => turnArrow(turn, kind, label, weight));
}

/** The first turn of each line: the best one last, so that it lies on top; as wide as the search looked at it. */
export function lineArrows(lines: readonly MoveInfo[]): BoardArrow[] {
  const most = Math.max(1, ...lines.map((line) => line.visits));
  return lines
    .flatMap((line) =>
      lineArrow(
        line,
        line.order === 0 ? 'best' : 'other',
        lines.length > 1 ? String(line.order + 1) : '',
        // The square root keeps lines apart that the search hardly looked at; what is proven needed no visits.
        line.result ? 1 : Math.sqrt(line.visits / most),
      ),
    )
    .reverse();
}
