// Threats: the turn that the opponent would play if it were theirs.
import { other, type PositionInfo } from '../protocol';
import { viewOf, writeFen } from '../squares';

/**
 * The position with the other side to move, as a FEN; `null` where that says nothing: a side that only moves and does
 * not fire stands at the very beginning of a game.
 */
export function passed(position: PositionInfo): string | null {
  return position.moveOnly ? null : writeFen({ ...viewOf(position), side: other(position.side) });
}
