// Positions for tests, written as FENs.
import { gameOf } from '../../src/games';
import { readFen } from '../../src/package/fen';
import type { BoardView } from '../../src/squares';

export function boardOf(fen: string): BoardView {
  return readFen(fen, gameOf(/^\S*[pdi]/i.test(fen) ? 'damone' : 'desdemona'));
}
