// The editor's changes to a position. Pure: the engine says afterwards whether the rules accept it.

import { type Game, gameOf, sizesOf, type VariantId } from '../games';
import { other } from '../protocol';
import { type BoardView, coordinates, type Letter, type Square, squareName, viewOf } from '../squares';

export const SMALLEST = 3;
export const LARGEST = 11;

export function put(view: BoardView, square: Square, letter: Letter | null): BoardView {
  const pieces = new Map(view.pieces);
  if (letter === null) pieces.delete(square);
  else pieces.set(square, letter);
  return { ...view, pieces };
}

/** Onto an occupied square: what stood there goes. */
export function move(view: BoardView, from: Square, to: Square): BoardView {
  const letter = view.pieces.get(from);
  return letter === undefined || from === to ? view : put(put(view, from, null), to, letter);
}

export function clear(view: BoardView): BoardView {
  return { ...view, pieces: new Map(), moveOnly: false, quiet: 0, number: 1 };
}

/** Pieces outside the new size are dropped; squares keep their names. */
export function resize(view: BoardView, width: number, height: number): BoardView {
  const inside = ([square]: [Square, Letter]) => {
    const { file, rank } = coordinates(square);
    return file < width && rank < height;
  };
  return { ...view, width, height, pieces: new Map([...view.pieces].filter(inside)) };
}

function map(view: BoardView, where: (file: number, rank: number) => Square, swap: boolean): BoardView {
  const pieces = new Map<Square, Letter>();
  for (const [square, letter] of view.pieces) {
    const { file, rank } = coordinates(square);
    pieces.set(where(file, rank), swap ? turned(letter) : letter);
  }
  return { ...view, pieces };
}

function turned(letter: Letter): Letter {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

/** Left and right change places. Damone's mirror is its long diagonal h1–a8: both corners stay and dark stays dark. */
export function mirror(view: BoardView, rules: Game): BoardView {
  if (rules.darkSquares) return map(view, (file, rank) => squareName(7 - rank, 7 - file), false);
  return map(view, (file, rank) => squareName(view.width - 1 - file, rank), false);
}

/** The same position with White and Black exchanged, seen from the other side. */
export function exchange(view: BoardView): BoardView {
  const side = other(view.side);
  const turned = map(view, (file, rank) => squareName(view.width - 1 - file, view.height - 1 - rank), true);
  return { ...turned, side };
}

export function startOf(variant: VariantId): BoardView {
  return viewOf(gameOf(variant).position);
}

/** Amazons on 6×6 and 8×8 have names of their own; other boards go by the classic one's. */
export function variantFor(variant: VariantId, { width, height }: BoardView): VariantId {
  const sizes = sizesOf(variant);
  return (sizes.find((game) => game.width === width && game.height === height) ?? sizes[0]!).id;
}
