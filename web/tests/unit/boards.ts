// Positions for tests, written as FENs. The page itself reads none: the engine tells it what stands where.
import { type BoardView, viewOf } from '../../src/squares';

export function boardOf(fen: string): BoardView {
  const [board = '', side, flag] = fen.split(' ');
  const rows = board.split('/').map((row) => row.replace(/\d+/g, (count) => '.'.repeat(Number(count))));
  return viewOf({
    files: rows[0]!.length,
    ranks: rows.length,
    pieces: rows.join(''),
    side: side === 'b' ? 'black' : 'white',
    moveOnly: flag === 'm',
    quiet: 0,
    number: 1,
  });
}
