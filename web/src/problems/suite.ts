// The problems: a file beside the page, read when somebody first wants to see them.

import type { PositionReview } from '../game/tree';
import { gameOf, isVariant, type VariantId } from '../games';
import { FileBeside } from '../host/beside';
import { phrase } from '../messages';
import type { KindName, Side } from '../protocol';

/** Turns, each with what may follow: the winner's turn, replies to it, the answer to each, and so on. */
export interface Tree {
  [turn: string]: Tree;
}

export const themes = ['shut-in', 'flip', 'offer', 'promotion', 'count'] as const;
export type ThemeId = (typeof themes)[number];

/** The mistake that a problem was made of: there any turn is right that is none. */
export interface Mistake {
  turn: string;
  loss: number;
  kind: KindName;
  /** The review of the position before it. */
  before: PositionReview;
}

export interface Problem {
  /** The group and a number, as `iago-017`: kept in the browser with what was solved. */
  id: string;
  variant: VariantId;
  fen: string;
  /** The side to move, which wins. */
  side: Side;
  /** The one turn that wins; the best one in place of a mistake. */
  turn: string;
  legal: number;
  /** The rating that finds the turn in half of its tries; `null` if no measured one does. */
  elo: number | null;
  /** Themes of the winning turn. */
  themes: readonly ThemeId[];
  solution: Tree;
  /** Turns that look good, each with a reply that refutes it. */
  wrong: Tree;
  /** Of a problem from somebody's own game. */
  mistake?: Mistake;
}

export interface Group {
  id: string;
  readonly title: string;
  /** The ratings that tried the problems, from the lowest. */
  levels: readonly number[];
  problems: Problem[];
}

interface SuiteFile {
  format: unknown;
  levels: Record<string, number[]>;
  problems: Problem[];
}

/** Throws an `Error` with one line if the text is no file of problems. */
export function readSuite(text: string): Group[] {
  const { format, levels = {}, problems } = JSON.parse(text) as Partial<SuiteFile>;
  if (format !== 'hippolyta problems 1' || !Array.isArray(problems))
    throw new Error(phrase('problems.unreadable'));
  const groups = new Map<string, Group>();
  for (const problem of problems) {
    if (!isVariant(problem.variant)) throw new Error(`no rule set ${problem.variant}`);
    const id = groupOf(problem.id);
    const group = groups.get(id) ?? {
      id,
      // It follows the language.
      get title() {
        return titleOf(id, problem.variant);
      },
      levels: levels[problem.variant] ?? [],
      problems: [],
    };
    group.problems.push(problem);
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** The group in a problem's id: the part before the number. */
export function groupOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-'));
}

/** `amazons-5x6` is "Amazons 5×6". */
function titleOf(group: string, variant: VariantId): string {
  const { title } = gameOf(variant);
  const size = /-(\d+)x(\d+)$/.exec(group);
  return size ? `${title} ${size[1]}×${size[2]}` : title;
}

/** A row of the solution: a turn of each side, below the rows that lead there. */
export interface Row {
  /** The replies and answers from the position to this row, the winning turn first. */
  path: string[];
  /** The reply, with the answer behind; the first row is the winning turn alone. */
  turns: string[];
  depth: number;
}

/** The rows of a solution. */
export function rowsOf(solution: Tree): Row[] {
  const rows: Row[] = [];
  const below = (tree: Tree, path: string[], depth: number) => {
    for (const [reply, answers] of Object.entries(tree)) {
      const answer = Object.keys(answers)[0];
      if (answer === undefined) continue;
      const turns = [reply, answer];
      rows.push({ path: [...path, ...turns], turns, depth });
      below(answers[answer] ?? {}, [...path, ...turns], depth + 1);
    }
  };
  for (const [turn, replies] of Object.entries(solution)) {
    rows.push({ path: [turn], turns: [turn], depth: 0 });
    below(replies, [turn], 1);
  }
  return rows;
}

/** Grades for people. Each reaches up to the next. */
export const bands = [
  { id: 'easy', from: 0 },
  { id: 'medium', from: 1000 },
  { id: 'hard', from: 1800 },
  { id: 'very-hard', from: 2600 },
] as const;

export type BandId = (typeof bands)[number]['id'];

export function bandTitle(band: BandId): string {
  return phrase(`problems.bands.${band}`);
}

export function bandOf({ elo }: Problem): (typeof bands)[number] {
  return bands.findLast(({ from }) => (elo ?? Number.POSITIVE_INFINITY) >= from) ?? bands[0];
}

export const suite = new FileBeside<readonly Group[]>('problems.json', readSuite);
