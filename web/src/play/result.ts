// How a game ended, in plain words.
import { type BoardView, readFen, sideOf } from '../fen';
import type { Match } from '../game/store';
import { type Game, gameOf } from '../games';
import { sideName } from '../names';
import { type Outcome, other, type Side } from '../protocol';

export interface Result {
  outcome: Outcome;
  /** "You win", "White wins", "Draw". */
  headline: string;
  /** Why, in a sentence or two. */
  reason: string;
}

/** `null` while the game goes on. */
export function resultOf({ setup, ending, tip }: Match): Result | null {
  const outcome: Outcome | null = ending?.winner ?? tip.outcome;
  if (outcome === null) return null;
  const headline = headlineOf(outcome, setup.players);
  if (ending) {
    const loser = sideName[other(ending.winner)];
    const reason = ending.reason === 'resigned' ? `${loser} resigned.` : `${loser} ran out of time.`;
    return { outcome, headline, reason };
  }
  const view = readFen(tip.fen ?? setup.start ?? gameOf(setup.variant).start);
  return {
    outcome,
    headline,
    reason: reasonOf(gameOf(setup.variant), outcome, view, tip.toMove ?? view.side),
  };
}

function headlineOf(outcome: Outcome, players: Match['setup']['players']): string {
  if (outcome === 'draw') return 'Draw';
  const people = (['white', 'black'] as const).filter((side) => players[side].kind === 'human');
  if (people.length === 1) return people[0] === outcome ? 'You win' : 'You lose';
  return `${sideName[outcome]} wins`;
}

function reasonOf(rules: Game, outcome: Outcome, view: BoardView, toMove: Side): string {
  const stuck = sideName[toMove];
  if (rules.stones) {
    const { white, black } = stonesOn(view);
    const count = `White has ${stones(white)}, Black ${black}`;
    return `${stuck} has no turn left, so the stones are counted. ${count}.`;
  }
  if (outcome === 'draw') {
    return view.quiet >= 80
      ? 'For 80 turns in a row nothing was captured or promoted, and no pedina stepped forwards.'
      : 'The same position came up for the third time.';
  }
  const own = [...view.pieces.values()].filter((letter) => sideOf(letter) === toMove);
  if (rules.promotes && own.length === 0) return `${stuck} has no piece left.`;
  if (rules.id === 'damone-imperatore' && !own.some((letter) => letter.toLowerCase() === 'i'))
    return `${stuck} has lost the emperor.`;
  return `${stuck} has no turn left.`;
}

function stones(count: number): string {
  return count === 1 ? '1 stone' : `${count} stones`;
}

/** The stones of a position of the Desdemona family. */
export function stonesOn(view: BoardView): Record<Side, number> {
  const count = (letter: string) => [...view.pieces.values()].filter((piece) => piece === letter).length;
  return { white: count('S'), black: count('s') };
}
