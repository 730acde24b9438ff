// Which piece is which from one position to the next, so that the same drawing glides from square to square.
import { coordinates, type Letter, type Square } from '../fen';

export interface Tracked {
  id: number;
  square: Square;
  letter: Letter;
}

/** Pieces keep their identity on their square; one that went is the nearest new one of its letter, or of its side. */
export function track(before: readonly Tracked[], pieces: ReadonlyMap<Square, Letter>, newId: () => number): Tracked[] {
  const after: Tracked[] = [];
  const gone: Tracked[] = [];
  const placed = new Set<Square>();
  for (const piece of before) {
    const letter = pieces.get(piece.square);
    if (letter !== undefined && (letter === piece.letter || flips(letter, piece.letter))) {
      after.push({ ...piece, letter });
      placed.add(piece.square);
    } else {
      gone.push(piece);
    }
  }
  for (const [square, letter] of pieces) {
    if (placed.has(square)) continue;
    const from =
      nearest(gone, square, (piece) => piece.letter === letter) ??
      nearest(gone, square, (piece) => promotes(piece.letter, letter));
    if (from) gone.splice(gone.indexOf(from), 1);
    after.push({ id: from?.id ?? newId(), square, letter });
  }
  // A stable order: moving an element in the document would end its animation.
  return after.sort((a, b) => a.id - b.id);
}

function flips(a: Letter, b: Letter): boolean {
  return a.toLowerCase() === 's' && b.toLowerCase() === 's';
}

/** Pedina, dama and damone of one side; a step back in the game undoes a promotion. */
function promotes(a: Letter, b: Letter): boolean {
  const white = (letter: Letter) => letter === letter.toUpperCase();
  return 'pdi'.includes(a.toLowerCase()) && 'pdi'.includes(b.toLowerCase()) && white(a) === white(b);
}

function nearest(pieces: readonly Tracked[], square: Square, fits: (piece: Tracked) => boolean): Tracked | null {
  const at = coordinates(square);
  let best: Tracked | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    // Arrows and stones never move.
    if (!fits(piece) || piece.letter === '*' || piece.letter.toLowerCase() === 's') continue;
    const from = coordinates(piece.square);
    const distance = Math.abs(from.file - at.file) + Math.abs(from.rank - at.rank);
    if (distance < least) {
      least = distance;
      best = piece;
    }
  }
  return best;
}

/** The pieces as they stand while a turn is being entered: the one that moves stands on the square chosen last. */
export function halfTurn(pieces: ReadonlyMap<Square, Letter>, path: readonly Square[]): ReadonlyMap<Square, Letter> {
  const from = path[0];
  const to = path.at(-1);
  const letter = from === undefined ? undefined : pieces.get(from);
  if (letter === undefined || from === undefined || to === undefined || path.length < 2) return pieces;
  const shown = new Map(pieces);
  shown.delete(from);
  shown.set(to, letter);
  return shown;
}

/** The squares jumped over on the way: halfway between two that lie two files apart. */
export function jumped(path: readonly Square[]): Square[] {
  const squares: Square[] = [];
  for (let at = 1; at < path.length; at += 1) {
    const a = coordinates(path[at - 1]!);
    const b = coordinates(path[at]!);
    if (Math.abs(a.file - b.file) === 2) {
      squares.push(String.fromCharCode(97 + (a.file + b.file) / 2) + ((a.rank + b.rank) / 2 + 1));
    }
  }
  return squares;
}
