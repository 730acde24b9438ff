// A FEN as people give it to a board that stands alone. Where there is an engine, it tells positions itself.
import { type Game, lettersOf } from '../games';
import { type BoardView, squareName } from '../squares';

/** Reads a FEN for being drawn; whether the position is possible is not looked at. Throws a sentence if it is no FEN. */
export function readFen(text: string, rules: Game): BoardView {
  const [board = '', side = 'w', flag = '-', , quiet = '0', number = '1'] = text.trim().split(/\s+/);
  const rows = board.split('/').map((row) => rowOf(row, lettersOf(rules)));
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  for (const size of [width, height]) {
    if (size < 3 || size > 11) throw new Error(`a board has 3 to 11 files and ranks, not ${size}`);
  }
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0) {
    throw new Error(`rank ${height - uneven} has ${rows[uneven]?.length} squares in place of ${width}`);
  }
  if (side !== 'w' && side !== 'b') throw new Error(`the side to move is w or b, not '${side}'`);
  const standing = rows.flatMap((row, at) =>
    row.flatMap((letter, file): [string, string][] =>
      letter === null ? [] : [[squareName(file, height - 1 - at), letter]],
    ),
  );
  return {
    width,
    height,
    pieces: new Map(standing),
    side: side === 'w' ? 'white' : 'black',
    moveOnly: flag === 'm',
    quiet: Number(quiet) || 0,
    number: Number(number) || 1,
  };
}

function rowOf(text: string, letters: readonly string[]): (string | null)[] {
  return [...text.matchAll(/\d+|\D/g)].flatMap(([part]) => {
    if (/\d/.test(part)) return Array.from({ length: Math.min(Number(part), 12) }, () => null);
    if (!letters.includes(part))
      throw new Error(`'${part}' is no piece of this game: these are ${letters.join('')}`);
    return [part];
  });
}
