// Squares and arrows that people draw on the board. They stand in the comment of their position, as lichess writes them,
// so that they go wherever comments go: [%csl Gd4] [%cal Gd1d7,Rd7g7].
import type { Square } from '../squares';

/** A square, or where an arrow begins and ends. */
export type Drawn = readonly [Square] | readonly [Square, Square];

const CODES = /\s*\[%c[as]l\s+([^\]]*)\]/g;
/** The colour of what is drawn here; those of other programs stay in the comment and are not told apart on the board. */
const COLOUR = 'G';
const ONE = /^([A-Z])([a-k](?:1[01]|[1-9]))([a-k](?:1[01]|[1-9]))?$/;

interface Entry {
  colour: string;
  drawn: Drawn;
}

function entriesIn(comment: string): Entry[] {
  return [...comment.matchAll(CODES)].flatMap(([, list = '']) =>
    list.split(',').flatMap((text) => {
      const [, colour, from, to] = ONE.exec(text.trim()) ?? [];
      if (!colour || !from) return [];
      return [{ colour, drawn: to ? ([from, to] as const) : ([from] as const) }];
    }),
  );
}

export function drawnIn(comment: string): Drawn[] {
  return entriesIn(comment).map(({ drawn }) => drawn);
}

/** The comment for people. */
export function wordsIn(comment: string): string {
  return comment.replace(CODES, '').trim();
}

function written(words: string, entries: readonly Entry[]): string {
  const code = (name: string, squares: number) => {
    const list = entries.filter(({ drawn }) => drawn.length === squares);
    return list.length > 0
      ? [`[%${name} ${list.map(({ colour, drawn }) => colour + drawn.join('')).join(',')}]`]
      : [];
  };
  return [...(words ? [words] : []), ...code('csl', 1), ...code('cal', 2)].join(' ');
}

/** A comment with other words and the same drawing. */
export function withWords(comment: string, words: string): string {
  return written(words, entriesIn(comment));
}

/** Draws a square or an arrow, or wipes it off where it is there. */
export function toggled(comment: string, drawn: Drawn): string {
  const entries = entriesIn(comment);
  const others = entries.filter((entry) => entry.drawn.join() !== drawn.join());
  const isNew = others.length === entries.length;
  return written(wordsIn(comment), isNew ? [...entries, { colour: COLOUR, drawn }] : others);
}

/** Arrows and rings as a comment without words. */
export function commentOf(drawn: readonly Drawn[]): string {
  return written(
    '',
    drawn.map((each) => ({ colour: COLOUR, drawn: each })),
  );
}
