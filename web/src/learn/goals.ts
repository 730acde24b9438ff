// Goals of lessons, as data, and whether a turn fulfils them. Only legal turns come here: the engine has said so.

import type { Effects, Outcome, Side, TurnInfo } from '../protocol';
import type { BoardView, Letter, Square } from '../squares';

export type Goal =
  /** The piece comes from one of these squares. */
  | { kind: 'from'; squares: Square[] }
  /** The piece ends on one of these squares. */
  | { kind: 'to'; squares: Square[] }
  /** The shot lands on one of these squares. */
  | { kind: 'fire'; squares: Square[] }
  /** After the turn this piece stands there. */
  | { kind: 'leaves'; square: Square; letter: Letter }
  /** At least `count` enemy stones change colour. */
  | { kind: 'flips'; count: number }
  /** At least `count` enemy pieces are taken. */
  | { kind: 'captures'; count: number }
  /** The game is over, and the one who learns has won. */
  | { kind: 'wins' }
  | { kind: 'any' };

export interface Played {
  turn: TurnInfo;
  mover: Side;
  after: BoardView;
  /** Effects of the turn beside moving and firing. */
  effects: Effects | undefined;
  outcome: Outcome | null;
}

export function fulfils(goal: Goal, played: Played): boolean {
  const { path, fire } = played.turn;
  switch (goal.kind) {
    case 'from':
      return goal.squares.includes(path[0]);
    case 'to':
      return goal.squares.includes(path.at(-1)!);
    case 'fire':
      return fire !== undefined && goal.squares.includes(fire);
    case 'leaves':
      return played.after.pieces.get(goal.square) === goal.letter;
    case 'flips':
      return (played.effects?.flipped.length ?? 0) >= goal.count;
    case 'captures':
      return (played.effects?.captured.length ?? 0) >= goal.count;
    case 'wins':
      return played.outcome === played.mover;
    case 'any':
      return true;
  }
}
