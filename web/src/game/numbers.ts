// The number of a turn as the list of turns shows it: both sides' turns share one.
import { type RowStart, turnNumber } from './moverows';
import { game, match } from './store';
import type { GameNode } from './tree';

/** Where the numbers of the game on the board begin. */
export function startOfNumbers(root: GameNode = match.value.tree.root): RowStart {
  const { side, number } = root.position ?? game.value.position;
  return { mover: side, number };
}

export function numberOf(node: GameNode): number {
  return turnNumber(node, startOfNumbers()).number;
}
