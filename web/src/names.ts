// Full names of squares, pieces and turns, for speech and the text mode.

import type { Game } from './games';
import type { Side, TurnInfo } from './protocol';
import { type BoardView, type Letter, type Square, sideOf } from './squares';
import { isCapture } from './turns';

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
export function turnSentence(turn: TurnInfo, side: Side): string {
  return `${sideName[side]}: ${turnWords(turn)}`;
}

export function turnWords(turn: TurnInfo): string {
  const { path, fire } = turn;
  if (isCapture(turn)) return `${path[0]} captures to ${path.slice(1).join(', then ')}`;
  return `${path.join(' to ')}${fire === undefined ? '' : `, fires at ${fire}`}`;
}
