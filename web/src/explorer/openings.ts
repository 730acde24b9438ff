// The turns played in recorded games: a file beside the page, read when somebody first wants to see it. Of positions
// that are images of each other by a symmetry of the rules it has one; the symmetries stand in it, too.
import type { VariantId } from '../games';
import { FileBeside } from '../host/beside';
import { phrase } from '../messages';
import { type BoardView, type Square, squaresIn, squaresOf, writeFen } from '../squares';
import type { Turn, TurnIndex } from '../turns';

/** Games that White won, that were drawn, and that Black won. */
export type Counts = readonly [white: number, drawn: number, black: number];

interface Played {
  games: number;
  /** For each symmetry where the squares of the board, in the order of a FEN, come to lie. */
  symmetries: string[];
  /** By the key of a position, the turns that were played from there. */
  positions: Record<string, Record<string, Counts>>;
}

export type Openings = Partial<Record<VariantId, Played>>;

/** Where a symmetry brings each square. */
export type Way = ReadonlyMap<Square, Square>;

/** Counts of turns, by their classes. */
export type Counted = ReadonlyMap<string, Counts>;

/** A turn that was played from a position. */
export interface PlayedTurn {
  turn: Turn;
  counts: Counts;
  games: number;
  /** How many of the games are people's own. */
  own: number;
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

/** The symmetries of the file, or none but the one that moves nothing: the file has boards of the rule set's own size. */
export function waysOf(played: Played | undefined, { width, height }: BoardView): readonly Way[] {
  const squares = squaresOf(width, height);
  const known = played?.symmetries[0] === squares.join('') ? played.symmetries.map(squaresIn) : [squares];
  return known.map((moved) => new Map(squares.map((square, at) => [square, moved[at]!])));
}

/** What a position has in common with its images. */
export interface Form {
  /** The image without its counters whose text comes first. */
  text: string;
  /** The ways to that image. */
  ways: readonly Way[];
}

export function formOf(view: BoardView, ways: readonly Way[]): Form {
  const images = ways.map((way) => {
    const pieces = new Map([...view.pieces].map(([square, piece]) => [way.get(square) ?? square, piece]));
    const fields = writeFen({ ...view, pieces }).split(' ');
    return { text: fields.slice(0, 4).join(' '), way };
  });
  const text = images.map((image) => image.text).sort()[0]!;
  return { text, ways: images.filter((image) => image.text === text).map(({ way }) => way) };
}

function through(way: Way, turn: string): string {
  return turn.replace(/[a-k]\d+/g, (square) => way.get(square) ?? square);
}

/** Turns of a position that are images of each other are of one class, and so are those of its images. */
export function classOf(turn: string, { ways }: Form): string {
  return ways.map((way) => through(way, turn)).sort()[0]!;
}

function backTo({ ways }: Form): Way {
  return new Map([...ways[0]!].map(([square, image]) => [image, square]));
}

/** What the file has of a position. */
export function countsIn(played: Played | undefined, form: Form): Counted {
  const back = backTo(form);
  const turns = Object.entries(played?.positions[keyOf(form.text)] ?? {});
  return new Map(turns.map(([turn, counts]) => [classOf(through(back, turn), form), counts]));
}

const NONE: Counts = [0, 0, 0];
const sum = ([white, drawn, black]: Counts) => white + drawn + black;

/** The turns that were played from a position, the most frequent first. Mirror images count as one. */
export function playedFrom(form: Form, legal: TurnIndex, engine: Counted, own: Counted): PlayedTurn[] {
  const back = backTo(form);
  return [...new Set([...engine.keys(), ...own.keys()])]
    .flatMap((name) => {
      const turn = legal.find(through(back, name));
      const [all, more] = [engine.get(name) ?? NONE, own.get(name) ?? NONE];
      const counts: Counts = [all[0] + more[0], all[1] + more[1], all[2] + more[2]];
      return turn ? { turn, counts, games: sum(counts), own: sum(more) } : [];
    })
    .sort((a, b) => b.games - a.games || (a.turn.text < b.turn.text ? -1 : 1));
}

export const openings = new FileBeside('explorer.json', readOpenings);
