// Full names of squares, pieces and turns, for speech and the text mode.
import { type BoardView, type Letter, type Square, sideOf } from './fen';
import type { Family } from './games';
import type { Side } from './protocol';
import { fires, isCapture, squaresOfTurn } from './turns';

export const sideName: Record<Side, string> = { white: 'White', black: 'Black' };

const KIND: Record<string, string> = { q: 'amazon', s: 'stone', p: 'pedina', d: 'dama', i: 'damone' };

export function pieceName(letter: Letter, family: Family): string {
  if (letter === '*') return family === 'amazons' ? 'arrow' : 'neutral stone';
  return `${sideOf(letter)} ${KIND[letter.toLowerCase()] ?? 'piece'}`;
}

/** "d1, white amazon". */
export function squareLabel(square: Square, view: BoardView, family: Family): string {
  const letter = view.pieces.get(square);
  return letter === undefined ? `${square}, empty` : `${square}, ${pieceName(letter, family)}`;
}

/** "Black: g10 to g7, fires at j7". */
export function turnSentence(turn: string, side: Side, family: Family): string {
  return `${sideName[side]}: ${turnWords(turn, family)}`;
}

export function turnWords(turn: string, family: Family): string {
  const squares = squaresOfTurn(turn);
  const [from, to, fire] = squares;
  if (fires(turn)) return `${from} to ${to}, fires at ${fire}`;
  if (isCapture(turn, family)) return `${from} captures to ${squares.slice(1).join(', then ')}`;
  return `${from} to ${to}`;
}
