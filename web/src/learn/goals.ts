// What a lesson asks for, as data, and whether a turn does it. Only legal turns come here: the engine has said so.
import type { BoardView, Letter, Square } from '../fen';
import type { Effects, Outcome, Side } from '../protocol';
import { squaresOfTurn } from '../turns';

export type Goal =
  /** The piece comes from one of these squares. */
  | { kind: 'from'; squares: Square[] }
  /** The piece ends on one of these squares. */
  | { kind: 'to'; squares: Square[] }
  /** The shot lands on one of these squares. */
  | { kind: 'fire'; squares: Square[] }
  /** After the turn this piece stands there. */
  | { kind: 'leaves'; square: Square; letter: Letter }
  /** At least so many enemy stones change colour. */
  | { kind: 'flips'; count: number }
  /** At least so many enemy pieces are taken. */
  | { kind: 'captures'; count: number }
  /** The game is over, and the one who learns has won. */
  | { kind: 'wins' }
  | { kind: 'any' };

export interface Played {
  turn: string;
  mover: Side;
  after: BoardView;
  /** What the turn did beside moving and firing. */
  effects: Effects | undefined;
  outcome: Outcome | null;
}

export function fulfils(goal: Goal, played: Played): boolean {
  const squares = squaresOfTurn(played.turn);
  switch (goal.kind) {
    case 'from':
      return goal.squares.includes(squares[0] ?? '');
    case 'to':
      return goal.squares.includes((played.turn.includes(',') ? squares[1] : squares.at(-1)) ?? '');
    case 'fire':
      return played.turn.includes(',') && goal.squares.includes(squares[2] ?? '');
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
