// A game on its way in or out: what every format is read into and written from.
import type { VariantId } from '../games';

export interface RecordNode {
  /** As written in the source, in any spelling; empty at the root. */
  turn: string;
  comment: string;
  /** The first is the main line. */
  children: RecordNode[];
  /** Line of the source, from 1; 0 if it has none. */
  line: number;
}

export interface GameRecord {
  variant: VariantId;
  /** `null` is the rule set's own start. */
  start: string | null;
  root: RecordNode;
  /** As in PGN: Event, Site, Date, Round, White, Black, Result and others. */
  tags: Record<string, string>;
  /** What was understood but not taken over, for people. */
  notes: string[];
}

/** What could not be read, with its place. */
export class FormatError extends Error {
  constructor(
    message: string,
    readonly line = 0,
  ) {
    super(line > 0 ? `Line ${line}: ${message}` : message);
  }
}

/** Longer texts are refused: a game has some thousand characters, a tournament of thousands some megabytes. */
export const MAX_TEXT = 32 * 1024 * 1024;
/** The longest line of turns that is taken over. */
export const MAX_PLIES = 1500;
/** Turns of one game with all its variations. */
export const MAX_TURNS = 20_000;

export function recordNode(turn = '', line = 0): RecordNode {
  return { turn, comment: '', children: [], line };
}

export function addComment(node: RecordNode, text: string): void {
  const words = text.trim();
  if (words) node.comment = node.comment ? `${node.comment}\n${words}` : words;
}

/** Appends a turn; one that is there already is gone into. Throws when there are too many. */
export class TurnCounter {
  private turns = 0;

  count(line: number, plies: number): void {
    this.turns += 1;
    if (this.turns > MAX_TURNS) throw new FormatError(`more than ${MAX_TURNS} turns`, line);
    if (plies > MAX_PLIES) throw new FormatError(`a line of more than ${MAX_PLIES} turns`, line);
  }
}

/** All nodes after the root, each before its children, main lines first. Without recursion: lines may be long. */
export function* turnsOf(root: RecordNode): Generator<{ node: RecordNode; ply: number }> {
  const open = root.children.map((node) => ({ node, ply: 1 })).reverse();
  for (let at = open.pop(); at; at = open.pop()) {
    yield at;
    for (let index = at.node.children.length - 1; index >= 0; index -= 1)
      open.push({ node: at.node.children[index]!, ply: at.ply + 1 });
  }
}

export function mainLineOf(root: RecordNode): RecordNode[] {
  const nodes: RecordNode[] = [];
  for (let at = root.children[0]; at; at = at.children[0]) nodes.push(at);
  return nodes;
}
