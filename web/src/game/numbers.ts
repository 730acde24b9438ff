// The number of a turn as the list of turns shows it: both sides' turns share one.
import { readFen } from '../fen';
import { type RowStart, turnNumber } from './moverows';
import { game, match } from './store';
import type { GameNode } from './tree';

/** Where the numbers of the game on the board begin. */
export function startOfNumbers(root: GameNode = match.value.tree.root): RowStart {
  try {
    const { side, number } = readFen(root.fen ?? game.value.start);
    return { mover: side, number };
  } catch {
    return { mover: 'white', number: 1 };
  }
}

export function numberOf(node: GameNode): number {
  return turnNumber(node, startOfNumbers()).number;
}
