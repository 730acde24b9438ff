// Which piece is which from one position to the next, so that the same drawing glides from square to square.
import { coordinates, type Letter, type Square, sideOf } from '../squares';

export interface Tracked {
  id: number;
  square: Square;
  letter: Letter;
}

/** Pieces keep their identity on their square. One that went is the nearest new one of its letter, or of its side. */
export function track(
  before: readonly Tracked[],
  pieces: ReadonlyMap<Square, Letter>,
  newId: () => number,
): Tracked[] {
  const after: Tracked[] = [];
  const gone: Tracked[] = [];
  const placed = new Set<Square>();
  for (const piece of before) {
    const letter = pieces.get(piece.square);
    if (letter !== undefined && (letter === piece.letter || areStones(letter, piece.letter))) {
      after.push(letter === piece.letter ? piece : { ...piece, letter });
      placed.add(piece.square);
    } else if (travels(piece.letter)) {
      gone.push(piece);
    }
  }
  for (const [square, letter] of pieces) {
    if (placed.has(square)) continue;
    const from = travels(letter)
      ? (nearest(gone, square, (piece) => piece.letter === letter) ??
        nearest(gone, square, (piece) => isPromotion(piece.letter, letter)))
      : null;
    if (from) gone.splice(gone.indexOf(from), 1);
    after.push({ id: from?.id ?? newId(), square, letter });
  }
  // A stable order: an element that is put elsewhere in the document loses its animation.
  return after.sort((a, b) => a.id - b.id);
}

export function areStones(a: Letter, b: Letter): boolean {
  return a.toLowerCase() === 's' && b.toLowerCase() === 's';
}

function travels(letter: Letter): boolean {
  return letter !== '*' && letter.toLowerCase() !== 's';
}

/** Pedina, dama and damone of one side, in either order: a step back in the game undoes a promotion. */
function isPromotion(a: Letter, b: Letter): boolean {
  const ranks = 'pdi';
  return ranks.includes(a.toLowerCase()) && ranks.includes(b.toLowerCase()) && sideOf(a) === sideOf(b);
}

function nearest(
  pieces: readonly Tracked[],
  square: Square,
  fits: (piece: Tracked) => boolean,
): Tracked | null {
  const at = coordinates(square);
  let best: Tracked | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    if (!fits(piece)) continue;
    const from = coordinates(piece.square);
    const distance = Math.hypot(from.file - at.file, from.rank - at.rank);
    if (distance < least) {
      least = distance;
      best = piece;
    }
  }
  return best;
}
