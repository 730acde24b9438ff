// The turns played in recorded games: a file beside the page, read when somebody first wants to see it. Of positions
// that are images of each other by a symmetry of the rules it has one; the symmetries stand in it, too.
import type { VariantId } from '../games';
import { FileBeside } from '../host/beside';
import { phrase } from '../messages';
import { type BoardView, type Square, squaresIn, squaresOf, writeFen } from '../squares';
import type { Turn, TurnIndex } from '../turns';

/** Games that White won, that were drawn, and that Black won. */
type Counts = readonly [white: number, drawn: number, black: number];

interface Played {
  games: number;
  /** For each symmetry where the squares of the board, in the order of a FEN, come to lie. */
  symmetries: string[];
  /** By the key of a position, the turns that were played from there. */
  positions: Record<string, Record<string, Counts>>;
}

export type Openings = Partial<Record<VariantId, Played>>;

/** A turn that was played from a position. */
export interface PlayedTurn {
  turn: Turn;
  counts: Counts;
  games: number;
}

/** Throws an `Error` with one line if the text is no file of openings. */
export function readOpenings(text: string): Openings {
  const { format, variants } = JSON.parse(text) as { format?: unknown; variants?: Openings };
  if (format !== 'hippolyta explorer 1' || !variants) throw new Error(phrase('openings.unreadable'));
  return variants;
}

/** FNV-1a with 32 bits, as the engine's explorer has it. */
function keyOf(position: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < position.length; at += 1)
    hash = Math.imul(hash ^ position.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** The image of a position without its counters: of all images the file has the one whose text comes first. */
function imageOf(view: BoardView, images: ReadonlyMap<Square, Square>): string {
  const pieces = new Map([...view.pieces].map(([square, piece]) => [images.get(square) ?? square, piece]));
  return writeFen({ ...view, pieces })
    .split(' ')
    .slice(0, 4)
    .join(' ');
}

/** The turns that were played from a position, the most frequent first. Mirror images count as one. */
export function playedFrom(played: Played | undefined, view: BoardView, legal: TurnIndex): PlayedTurn[] {
  const squares = squaresOf(view.width, view.height);
  // The file has boards of the rule set's own size.
  if (played?.symmetries[0] !== squares.join('')) return [];
  let first = { text: '', images: new Map<Square, Square>() };
  for (const symmetry of played.symmetries) {
    const moved = squaresIn(symmetry);
    const images = new Map(squares.map((square, at) => [square, moved[at]!]));
    const text = imageOf(view, images);
    if (first.text === '' || text < first.text) first = { text, images };
  }
  const back = new Map([...first.images].map(([square, image]) => [image, square]));
  return Object.entries(played.positions[keyOf(first.text)] ?? {})
    .flatMap(([text, counts]) => {
      const turn = legal.find(text.replace(/[a-k]\d+/g, (square) => back.get(square) ?? square));
      return turn ? { turn, counts, games: counts[0] + counts[1] + counts[2] } : [];
    })
    .sort((a, b) => b.games - a.games || (a.turn.text < b.turn.text ? -1 : 1));
}

export const openings = new FileBeside('explorer.json', readOpenings);
