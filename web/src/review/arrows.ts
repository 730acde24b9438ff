// Arrows of a review on the board: the turn played, the one tried, and the answer.
import { turnArrow } from '../analysis/arrows';
import type { BoardArrow } from '../board/layers';
import { trial } from './trial';

export function reviewArrows(): BoardArrow[] {
  const now = trial.value;
  if (!now) return [];
  const { mistake, attempt, shown } = now;
  const drawn: BoardArrow[] = [];
  const best = mistake.before.line[0];
  const { last } = mistake.node;
  if (!attempt && last) drawn.push(turnArrow(last, 'played', '?', 0.8));
  if (attempt) drawn.push(turnArrow(attempt.turn, 'hint', '•'));
  if (shown && best !== undefined) drawn.push(turnArrow(best, 'best', '1'));
  return drawn;
}
