// How a game ended, in plain words.

import type { Ending, Match } from '../game/store';
import { recordWords } from '../game/tags';
import { type GameNode, type GameTree, moverAt } from '../game/tree';
import { gameOf } from '../games';
import { sideName } from '../names';
import { type Outcome, other, type Side } from '../protocol';
import { type BoardView, viewOf } from '../squares';
import { marginWords, reasonWords } from './decided';

export interface Result {
  outcome: Outcome;
  /** "You win", "White wins", "Draw". */
  headline: string;
  /** Why, in a sentence or two. */
  reason: string;
}

/** `null` while the game goes on. */
export function resultOf({ tree, setup, ending, tip }: Match): Result | null {
  const outcome: Outcome | null = ending?.winner ?? tip.outcome;
  if (outcome === null) return null;
  const headline = headlineOf(outcome, setup.players);
  if (ending) return { outcome, headline, reason: endingWords(ending, tip, tree.tags) };
  return { outcome, headline, reason: reasonOf(tip, setup) };
}

function endingWords(
  { winner, reason, margin }: Ending,
  { decided }: GameNode,
  tags: GameTree['tags'],
): string {
  if (reason === 'recorded') return recordWords(tags);
  if (reason === 'decided' || winner === 'draw') {
    const why = decided ? ` ${reasonWords(decided)}` : '';
    const much = marginWords(margin, decided?.unit);
    const what = winner === 'draw' ? 'a draw' : `${sideName[winner]} wins${much}`;
    return `The game was ended, as it was decided: ${what}.${why}`;
  }
  const loser = sideName[other(winner)];
  return reason === 'resigned' ? `${loser} resigned.` : `${loser} ran out of time.`;
}

function headlineOf(outcome: Outcome, players: Match['setup']['players']): string {
  if (outcome === 'draw') return 'Draw';
  const people = (['white', 'black'] as const).filter((side) => players[side].kind === 'human');
  if (people.length === 1) return people[0] === outcome ? 'You win' : 'You lose';
  return `${sideName[outcome]} wins`;
}

function reasonOf(node: GameNode, { variant }: Match['setup']): string {
  const { position, ending, outcome } = node;
  const rules = gameOf(variant);
  const side = sideName[moverAt(node)];
  if (rules.stones) {
    const { white, black } = stonesOn(viewOf(position ?? rules.position));
    const count = `White has ${stoneWords(white)}, Black ${black}`;
    return `${side} has no turn left, so the stones are counted. ${count}.`;
  }
  switch (ending) {
    case 'quiet':
      return 'For 80 turns in a row nothing was captured or promoted, and no pedina stepped forwards.';
    case 'repetition':
      return 'The same position came up for the third time.';
    case 'noPiece':
      return `${side} has no piece left.`;
    case 'noDamone':
      // Not always the side to move.
      return `${sideName[other(outcome as Side)]} has lost the emperor.`;
    default: {
      const { margin, unit } = node.decided ?? {};
      const much = outcome && outcome !== 'draw' ? marginWords(margin, unit) : '';
      const won = much ? ` ${sideName[outcome as Side]} wins${much}.` : '';
      return `${side} has no turn left.${won}`;
    }
  }
}

/** "1 stone", "5 stones". */
export function stoneWords(count: number): string {
  return count === 1 ? '1 stone' : `${count} stones`;
}

/** The stones of a position of the Desdemona family. */
export function stonesOn(view: BoardView): Record<Side, number> {
  const count = (letter: string) => [...view.pieces.values()].filter((piece) => piece === letter).length;
  return { white: count('S'), black: count('s') };
}
