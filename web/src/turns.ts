// Turns as the engine tells them. A turn is entered by choosing squares; the list of legal turns says which.
import type { LegalMoves, MoveInfo, TurnInfo } from './protocol';
import { type Square, squaresIn } from './squares';

/** A turn: how it is written, and its squares. */
export interface Turn extends TurnInfo {
  readonly text: string;
}

/** The squares of a turn in the order in which they are chosen: where its piece stands, then where it fires. */
export function squaresOfTurn({ path, fire }: TurnInfo): Square[] {
  return fire === undefined ? path : [...path, fire];
}

/** Its squares for each piece that may fire, where it does not matter which. */
function waysOf(turn: TurnInfo): Square[][] {
  const others = (turn.others ?? []).map((from) => [from, from, turn.fire!]);
  return [squaresOfTurn(turn), ...others];
}

export function isCapture({ captured = [] }: TurnInfo): boolean {
  return captured.length > 0;
}

function told(texts: readonly string[], turns: readonly TurnInfo[] = []): Turn[] {
  return turns.map((turn, at) => ({ ...turn, text: texts[at]! }));
}

/** Turns as they are written, with spaces between them. */
export function textOf(turns: readonly Turn[]): string {
  return turns.map(({ text }) => text).join(' ');
}

/** How people read a turn: `d1d7,d7g7` as its way, `d1–d7`, and its shot, `/g7`, which may be none. */
export function partsOf(text: string): [way: string, shot: string] {
  const [way = '', fire] = text.split(',');
  return [squaresIn(way).join('–'), fire ? `/${squaresIn(fire).at(-1)}` : ''];
}

/** A turn in its short form, in a sentence. */
export function shortForm(text: string): string {
  return partsOf(text).join('');
}

/** The turns that a search expects, its own first. */
export function lineOf({ pv, turns }: MoveInfo): Turn[] {
  return told(pv, turns);
}

export interface Choices {
  /** Squares that may be chosen next. */
  next: ReadonlySet<Square>;
  /** The turn that the chosen squares spell in full. */
  complete: Turn | null;
  /** Squares of pieces that were jumped over on the way. */
  taken: readonly Square[];
}

/** The legal turns of a position, for choosing them square by square. */
export class TurnIndex {
  readonly turns: readonly Turn[];
  /** The squares of all ways to make them. */
  private readonly ways: readonly { turn: Turn; squares: readonly Square[] }[];

  constructor({ moves, turns }: Pick<LegalMoves, 'moves' | 'turns'>) {
    this.turns = told(moves, turns);
    this.ways = this.turns.flatMap((turn) => waysOf(turn).map((squares) => ({ turn, squares })));
  }

  choices(path: readonly Square[]): Choices {
    const next = new Set<Square>();
    let complete: Turn | null = null;
    let taken: readonly Square[] = [];
    this.ways.forEach(({ turn, squares }) => {
      if (!path.every((square, at) => squares[at] === square)) return;
      const following = squares[path.length];
      if (following === undefined) complete = turn;
      else next.add(following);
      // One for each jump.
      taken = turn.captured?.slice(0, Math.max(0, path.length - 1)) ?? [];
    });
    return { next, complete, taken };
  }

  /** The turns that begin with these squares. */
  beginning(path: readonly Square[]): Turn[] {
    const begin = this.ways.filter(({ squares }) => path.every((square, at) => squares[at] === square));
    return [...new Set(begin.map(({ turn }) => turn))];
  }

  /** The turn that is written so. */
  of(text: string): Turn | null {
    return this.turns.find((turn) => turn.text === text) ?? null;
  }

  /** The turn that a person means, in any of the spellings `d1d7,d7g7`, `d1-d7/g7`, `d1d7 g7`, `c2xe4xg6`. */
  find(text: string): Turn | null {
    const wanted = squaresIn(text);
    // `d1d7,d7g7` names the amazon's new square twice.
    const short = wanted.length === 4 && wanted[1] === wanted[2] ? wanted.filter((_, at) => at !== 2) : null;
    const spells = (squares: readonly Square[], words: readonly string[]) =>
      squares.length === words.length && squares.every((square, at) => square === words[at]);
    const way = this.ways.find(({ squares }) => spells(squares, wanted) || (short && spells(squares, short)));
    return way?.turn ?? null;
  }
}
