// How a game ended, in plain words.

import { amount } from '../analysis/marks';
import type { Ending, Match } from '../game/store';
import { recordWords } from '../game/tags';
import { type GameNode, type GameTree, moverAt } from '../game/tree';
import { gameOf } from '../games';
import { phrase } from '../messages';
import { sideName } from '../names';
import { type Outcome, other, type Side } from '../protocol';
import { type BoardView, viewOf } from '../squares';
import { reasonWords, wonBy } from './decided';

/** Turns of both sides without anything new, after which a game of Damone is drawn. */
const QUIET = 80;

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
    const ended = phrase('result.ended', { result: wonBy(winner, margin, decided?.unit) });
    return decided ? `${ended} ${reasonWords(decided)}` : ended;
  }
  return phrase(reason === 'resigned' ? 'result.resigned' : 'result.time', { side: sideName[other(winner)] });
}

function headlineOf(outcome: Outcome, players: Match['setup']['players']): string {
  if (outcome === 'draw') return phrase('result.draw');
  const people = (['white', 'black'] as const).filter((side) => players[side].kind === 'human');
  if (people.length === 1) return phrase(people[0] === outcome ? 'result.youWin' : 'result.youLose');
  return phrase('result.wins', { side: sideName[outcome] });
}

function reasonOf(node: GameNode, { variant }: Match['setup']): string {
  const { position, ending, outcome } = node;
  const rules = gameOf(variant);
  const side = sideName[moverAt(node)];
  if (rules.stones) {
    const { white, black } = stonesOn(viewOf(position ?? rules.position));
    return phrase('result.counted', { side, white: stoneWords(white), black });
  }
  switch (ending) {
    case 'quiet':
      return phrase('result.quiet', { count: QUIET });
    case 'repetition':
      return phrase('result.repetition');
    case 'noPiece':
      return phrase('result.noPiece', { side });
    case 'noDamone':
      // Not always the side to move.
      return phrase('result.noDamone', { side: sideName[other(outcome as Side)] });
    default: {
      const { margin, unit } = node.decided ?? {};
      if (!outcome || outcome === 'draw' || !margin || !unit) return phrase('result.noTurn', { side });
      const won = { winner: sideName[outcome], margin: amount(Math.abs(margin), unit) };
      return phrase('result.noTurnBy', { side, ...won });
    }
  }
}

/** "1 stone", "5 stones". */
export function stoneWords(count: number): string {
  return phrase('play.stones', { count });
}

/** The stones of a position of the Desdemona family. */
export function stonesOn(view: BoardView): Record<Side, number> {
  const count = (letter: string) => [...view.pieces.values()].filter((piece) => piece === letter).length;
  return { white: count('S'), black: count('s') };
}
