// What the game at the tip is doing: whose turn it is, and whether it is over.
import { computed } from '@preact/signals';
import { readFen } from '../fen';
import { game, match, revision } from '../game/store';
import type { Side } from '../protocol';
import { type Result, resultOff, resultOnBoard } from './result';

/** The result of the game, or `null` while it goes on. */
export const result = computed<Result | null>(() => {
  revision.value;
  const { ending, tip } = match.value;
  if (ending) return resultOff(ending.winner, ending.reason);
  return tip.outcome && tip.fen ? resultOnBoard(game.value, readFen(tip.fen), tip.outcome) : null;
});

/** Who is to play at the tip; `null` if the game is over or the position is not known yet. */
export const toPlay = computed<Side | null>(() => {
  revision.value;
  return result.value ? null : match.value.tip.toMove;
});

export const enginePlays = computed<boolean>(() => {
  const side = toPlay.value;
  return side !== null && match.value.setup.players[side].kind === 'engine';
});

/** Is at least one side a person? */
export const withPeople = computed<boolean>(() => {
  const { players } = match.value.setup;
  return players.white.kind === 'human' || players.black.kind === 'human';
});
