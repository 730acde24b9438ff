// A turn that is half entered or not yet confirmed, as it looks on the board. Only for display: what is legal and what
// a turn does in full is the engine's to say.

import type { Game } from '../games';
import { other, type TurnInfo } from '../protocol';
import type { BoardView, Letter, Square } from '../squares';

/** The pieces while a turn is being entered: the one that moves stands on the square chosen last. */
export function halfTurn(
  pieces: ReadonlyMap<Square, Letter>,
  path: readonly Square[],
): ReadonlyMap<Square, Letter> {
  const from = path[0];
  const to = path.at(-1);
  const letter = from === undefined ? undefined : pieces.get(from);
  if (letter === undefined || from === undefined || to === undefined || path.length < 2) return pieces;
  const shown = new Map(pieces);
  shown.delete(from);
  shown.set(to, letter);
  return shown;
}

/** The board after a turn, as far as it can be drawn before the engine has confirmed it. */
export function expected(view: BoardView, { path, fire, captured = [] }: TurnInfo, rules: Game): BoardView {
  const pieces = new Map(halfTurn(view.pieces, path));
  for (const square of captured) pieces.delete(square);
  // Whose stone a shot leaves differs between the rule sets; an arrow is an arrow.
  if (!rules.stones && fire !== undefined) pieces.set(fire, '*');
  return { ...view, pieces, side: other(view.side), moveOnly: false };
}
