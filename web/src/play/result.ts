// How a game ended, in words. The winner is the engine's word; the reason is read from the board.
import type { BoardView } from '../fen';
import type { Game } from '../games';
import { sideName } from '../names';
import { type Outcome, other, type Side } from '../protocol';

export interface Result {
  winner: Outcome;
  title: string;
  reason: string;
}

export function stonesOf(view: BoardView): { white: number; black: number } {
  let white = 0;
  let black = 0;
  for (const letter of view.pieces.values()) {
    if (letter === 'S') white += 1;
    if (letter === 's') black += 1;
  }
  return { white, black };
}

export function resultOnBoard(game: Game, view: BoardView, outcome: Outcome): Result {
  const title = outcome === 'draw' ? 'Draw' : `${sideName[outcome]} wins`;
  return { winner: outcome, title, reason: reason(game, view, outcome) };
}

export function resultOff(winner: Side, how: 'resigned' | 'time'): Result {
  const loser = sideName[other(winner)];
  return {
    winner,
    title: `${sideName[winner]} wins`,
    reason: how === 'time' ? `${loser} has run out of time.` : `${loser} has resigned.`,
  };
}

function reason(game: Game, view: BoardView, outcome: Outcome): string {
  const stuck = sideName[view.side];
  if (game.family === 'desdemona') {
    const { white, black } = stonesOf(view);
    const count =
      outcome === 'draw'
        ? `${white} stones each`
        : `${Math.max(white, black)} stones to ${Math.min(white, black)}`;
    return `${stuck} has no turn left. It is ${count}.`;
  }
  if (game.family === 'damone') {
    if (outcome === 'draw') {
      return view.quiet >= 80
        ? 'Eighty turns have gone by without a capture, a promotion or a forward step of a pedina.'
        : 'This position has come up for the third time.';
    }
    const loser = other(outcome);
    const own = [...view.pieces.values()].filter(
      (letter) => (letter === letter.toUpperCase()) === (loser === 'white'),
    );
    if (own.length === 0) return `${sideName[loser]} has no piece left.`;
    if (game.id === 'damone-imperatore' && !own.some((letter) => letter.toLowerCase() === 'i')) {
      return `${sideName[loser]} has lost the damone.`;
    }
  }
  return `${stuck} has no turn left.`;
}
