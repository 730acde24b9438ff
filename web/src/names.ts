// Full names of squares, pieces and turns, for speech and the text mode.
import { type BoardView, type Letter, type Square, sideOf } from './fen';
import type { Game } from './games';
import type { Side } from './protocol';
import { fires, isCapture, squaresOfTurn } from './turns';

export const sideName: Record<Side, string> = { white: 'White', black: 'Black' };

const KIND: Record<string, string> = { q: 'amazon', s: 'stone', p: 'pedina', d: 'dama', i: 'damone' };

export function pieceName(letter: Letter, rules: Game): string {
  if (letter === '*') return rules.stones ? 'neutral stone' : 'arrow';
  return `${sideOf(letter)} ${KIND[letter.toLowerCase()] ?? 'piece'}`;
}

/** "d1, white amazon". */
export function squareLabel(square: Square, view: BoardView, rules: Game): string {
  const letter = view.pieces.get(square);
  return letter === undefined ? `${square}, empty` : `${square}, ${pieceName(letter, rules)}`;
}

/** "Black: g10 to g7, fires at j7". */
export function turnSentence(turn: string, side: Side, rules: Game): string {
  return `${sideName[side]}: ${turnWords(turn, rules)}`;
}

export function turnWords(turn: string, rules: Game): string {
  const squares = squaresOfTurn(turn);
  const [from, to, fire] = squares;
  if (fires(turn)) return `${from} to ${to}, fires at ${fire}`;
  if (isCapture(turn, rules)) return `${from} captures to ${squares.slice(1).join(', then ')}`;
  return `${from} to ${to}`;
}
