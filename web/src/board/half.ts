// A turn that is half entered or not yet confirmed, as it looks on the board. Only for display: what is legal and what
// a turn does in full is the engine's to say.

import { type BoardView, coordinates, type Letter, type Square, squareName } from '../fen';
import type { Game } from '../games';
import { other } from '../protocol';
import { fires, squaresOfTurn } from '../turns';

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

/** The squares jumped over on the way: halfway between two that lie two files apart. */
export function jumped(path: readonly Square[]): Square[] {
  return path.slice(1).flatMap((square, at) => {
    const a = coordinates(path[at]!);
    const b = coordinates(square);
    if (Math.abs(a.file - b.file) !== 2 || Math.abs(a.rank - b.rank) !== 2) return [];
    return [squareName((a.file + b.file) / 2, (a.rank + b.rank) / 2)];
  });
}

/** The board after a turn, as far as it can be drawn before the engine has confirmed it. */
export function expected(view: BoardView, turn: string, rules: Game): BoardView {
  const squares = squaresOfTurn(turn);
  const shot = fires(turn) ? squares.at(-1) : undefined;
  const pieces = new Map(halfTurn(view.pieces, shot === undefined ? squares : squares.slice(0, -1)));
  if (!rules.fires) for (const square of jumped(squares)) pieces.delete(square);
  // Whose stone a shot leaves differs between the rule sets; an arrow is an arrow.
  if (!rules.stones && shot !== undefined) pieces.set(shot, '*');
  return { ...view, pieces, side: other(view.side), moveOnly: false };
}
