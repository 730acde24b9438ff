// What the opponent would play if it were their turn.

/**
 * The position with the other side to move; `null` where that says nothing: a side that only moves and does not fire
 * stands at the very beginning of a game.
 */
export function passed(fen: string): string | null {
  const fields = fen.split(' ');
  const [board, side, flag] = fields;
  if (board === undefined || flag === 'm' || (side !== 'w' && side !== 'b')) return null;
  return [board, side === 'w' ? 'b' : 'w', ...fields.slice(2)].join(' ');
}
