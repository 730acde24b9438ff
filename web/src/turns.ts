// The text of a turn and its squares. A turn is entered by choosing squares; the list of legal turns says which.
import { coordinates, type Square } from './fen';
import type { Game } from './games';

/** The squares of a turn in the order in which they are chosen: `d1d7,d7g7` is d1, d7, g7. */
export function squaresOfTurn(text: string): Square[] {
  const [before = '', after] = text.split(',');
  const squares = before.match(/[a-k]\d+/g) ?? [];
  // After the comma the amazon's new square comes again, then where it fires.
  const shot = after?.match(/[a-k]\d+/g)?.slice(1) ?? [];
  return [...squares, ...shot];
}

/** Does the turn fire? */
export function fires(text: string): boolean {
  return text.includes(',');
}

/** A turn of Damone that jumps: its first two squares lie two files apart. For words and sounds only. */
export function isCapture(text: string, rules: Game): boolean {
  const squares = squaresOfTurn(text);
  if (rules.fires || squares.length < 2) return false;
  if (squares.length > 2) return true;
  const [from, to] = [coordinates(squares[0]!), coordinates(squares[1]!)];
  return Math.abs(from.file - to.file) === 2 && Math.abs(from.rank - to.rank) === 2;
}

export interface Choices {
  /** Squares that may be chosen next. */
  next: ReadonlySet<Square>;
  /** The turn that the chosen squares spell in full. */
  complete: string | null;
}

/** The legal turns of a position, cut into squares once, for choosing them square by square. */
export class TurnIndex {
  private readonly squares: readonly Square[][];

  constructor(readonly turns: readonly string[]) {
    this.squares = turns.map(squaresOfTurn);
  }

  choices(path: readonly Square[]): Choices {
    const next = new Set<Square>();
    let complete: string | null = null;
    this.squares.forEach((squares, index) => {
      if (!path.every((square, at) => squares[at] === square)) return;
      const following = squares[path.length];
      if (following === undefined) complete = this.turns[index]!;
      else next.add(following);
    });
    return { next, complete };
  }

  /** The turn that the text means, in any of the spellings `d1d7,d7g7`, `d1-d7/g7`, `d1d7 g7`, `c2xe4xg6`. */
  find(text: string): string | null {
    const wanted = text.toLowerCase().match(/[a-k]\d+/g) ?? [];
    // `d1d7,d7g7` names the amazon's new square twice.
    const short = wanted.length === 4 && wanted[1] === wanted[2] ? wanted.filter((_, at) => at !== 2) : null;
    const spells = (squares: readonly Square[], words: readonly string[]) =>
      squares.length === words.length && squares.every((square, at) => square === words[at]);
    const at = this.squares.findIndex(
      (squares) => spells(squares, wanted) || (short && spells(squares, short)),
    );
    return at >= 0 ? this.turns[at]! : null;
  }
}
