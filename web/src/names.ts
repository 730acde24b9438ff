// Full names of squares, pieces and turns, for speech and the text mode.

import type { Game } from './games';
import { phrase } from './messages';
import type { Side, TurnInfo } from './protocol';
import type { BoardView, Letter, Square } from './squares';
import { isCapture } from './turns';

export const sideName: Readonly<Record<Side, string>> = {
  get white() {
    return phrase('side.white');
  },
  get black() {
    return phrase('side.black');
  },
};

const LETTERS = ['Q', 'q', 'S', 's', 'P', 'p', 'D', 'd', 'I', 'i'] as const;

/** The name of a piece in the keys of messages. */
function kindOf(letter: Letter, rules: Game) {
  return LETTERS.find((one) => one === letter) ?? (rules.stones ? 'neutral' : 'arrow');
}

export function pieceName(letter: Letter, rules: Game): string {
  return phrase(`piece.${kindOf(letter, rules)}`);
}

/** "White amazons". */
export function piecesName(letter: Letter, rules: Game, count: number): string {
  return phrase(`pieces.${kindOf(letter, rules)}`, { count });
}

/** "d1, white amazon". */
export function squareLabel(square: Square, view: BoardView, rules: Game): string {
  const letter = view.pieces.get(square);
  if (letter === undefined) return phrase('board.empty', { square });
  return phrase('board.square', { square, piece: pieceName(letter, rules) });
}

/** "Black: g10 to g7, fires at j7". */
export function turnSentence(turn: TurnInfo, side: Side): string {
  return phrase('turn.sentence', { side: sideName[side], turn: turnWords(turn) });
}

export function turnWords(turn: TurnInfo): string {
  const { path, fire } = turn;
  const [from, to, ...more] = path;
  const way = { from, to: to ?? from };
  if (isCapture(turn)) {
    const first = phrase('turn.captures', way);
    return more.reduce((before, next) => phrase('turn.then', { before, to: next }), first);
  }
  const move = phrase('turn.move', way);
  return fire === undefined ? move : phrase('turn.fires', { move, fire });
}
