// A game as a tree of variations. The first child of a node is its main line.
import { gameOf, isVariant, type VariantId } from '../games';
import {
  type Analysis,
  type DecidedInfo,
  type Ending,
  type LegalMoves,
  type MoveReviewed,
  type Outcome,
  other,
  type PositionInfo,
  type Side,
  type TurnInfo,
} from '../protocol';
import type { Turn } from '../turns';

export interface ClockReading {
  white: number;
  black: number;
}

/** A position in a review. Win rates are White's, 0 … 1. */
export interface PositionReview {
  /** With the best turn. */
  white: number;
  /** The best turn and what would follow; empty if the game is over. */
  line: Turn[];
  /** Size of the search that said so. */
  nodes: number;
  /** A proven result: who wins, and in how many turns of both sides if that is known. */
  proven: { outcome: Outcome; plies: number | null } | null;
  /** The review of the position after the best turn, where the turn of the game had to be compared with it. */
  afterBest?: PositionReview;
}

export interface GameNode {
  readonly id: number;
  readonly parent: GameNode | null;
  /** The turn that led here; empty at the root. */
  readonly turn: string;
  readonly ply: number;
  children: GameNode[];
  /** The squares of that turn, once they are known. */
  last: TurnInfo | null;
  /** Known once the engine was asked for the legal turns here, as is what follows. */
  position: PositionInfo | null;
  fen: string | null;
  toMove: Side | null;
  outcome: Outcome | null;
  /** Why the game ended here. */
  ending: Ending | null;
  /** The result as far as it is certain. */
  decided: DecidedInfo | null;
  /** The deepest analysis so far. Not kept over a reload. */
  analysis: Analysis | null;
  /** Win rate of White, 0 … 1, kept over a reload. */
  whiteWinrate: number | null;
  /** The review of this position, kept over a reload. */
  review: PositionReview | null;
  /** How the turn that led here was judged by the reviews of both positions. Not kept over a reload. */
  verdict: MoveReviewed | null;
  comment: string;
  /** Milliseconds left on the clocks after this turn. */
  clock: ClockReading | null;
}

export interface GameTree {
  readonly variant: VariantId;
  /** Where the game began; `null` is the rule set's own start. */
  readonly start: string | null;
  readonly root: GameNode;
  nextId: number;
  /** Names, date, result and so on of a game from elsewhere, as in PGN. */
  tags?: Record<string, string>;
}

export function newTree(variant: VariantId, start: string | null, fen: string): GameTree {
  const root = newNode(0, null, '', null);
  root.fen = fen;
  if (start === null) root.position = gameOf(variant).position;
  return { variant, start, root, nextId: 1 };
}

function newNode(id: number, parent: GameNode | null, turn: string, last: TurnInfo | null): GameNode {
  return {
    id,
    parent,
    turn,
    ply: parent ? parent.ply + 1 : 0,
    children: [],
    last,
    position: null,
    fen: null,
    toMove: null,
    outcome: null,
    ending: null,
    decided: null,
    analysis: null,
    whiteWinrate: null,
    review: null,
    verdict: null,
    comment: '',
    clock: null,
  };
}

/** The child by this turn, made if there is none. A new child is a variation unless it is the first. */
export function play(tree: GameTree, node: GameNode, turn: string, last: TurnInfo | null = null): GameNode {
  const known = node.children.find((child) => child.turn === turn);
  if (known) return known;
  const child = newNode(tree.nextId, node, turn, last);
  tree.nextId += 1;
  node.children.push(child);
  return child;
}

/** As `play`, where the game itself goes on: what was tried here in an analysis becomes a variation of it. */
export function playOn(tree: GameTree, node: GameNode, turn: string, last: TurnInfo | null = null): GameNode {
  const child = play(tree, node, turn, last);
  putFirst(node, child);
  return child;
}

function putFirst(node: GameNode, child: GameNode): void {
  node.children = [child, ...node.children.filter((other) => other !== child)];
}

/** Notes what the engine says of the position. */
export function know(
  node: GameNode,
  { fen, position, effects, currentPlayer, outcome, ending, decided }: LegalMoves,
): void {
  node.fen = fen;
  node.position = position ?? node.position;
  // Of the root: what a game before had played is none of its turns.
  if (node.parent) node.last = effects ?? null;
  node.toMove = currentPlayer;
  node.outcome = outcome;
  node.ending = ending ?? null;
  node.decided = decided ?? node.decided;
}

/** From the root to the node, both included. */
export function line(node: GameNode): GameNode[] {
  const nodes: GameNode[] = [];
  for (let at: GameNode | null = node; at; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

export function turnsTo(node: GameNode): string[] {
  return line(node)
    .slice(1)
    .map((at) => at.turn);
}

/** The end of the main line from here. */
export function lastOf(node: GameNode): GameNode {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

/** Through this node to the end of its main line: what a list of turns shows. */
export function mainLine(root: GameNode): GameNode[] {
  return line(lastOf(root));
}

export function remove(node: GameNode): void {
  const { parent } = node;
  if (parent) parent.children = parent.children.filter((child) => child !== node);
}

/** Whose turn it is at a node; counted from the start if the engine was not asked about the node yet. */
export function moverAt(node: GameNode): Side {
  if (node.toMove) return node.toMove;
  if (node.position) return node.position.side;
  return node.parent ? other(moverAt(node.parent)) : 'white';
}

/** Makes the line through this node the main line. */
export function promote(node: GameNode): void {
  for (let at = node; at.parent; at = at.parent) {
    putFirst(at.parent, at);
  }
}

/** A node as it is stored; its children follow in `c`. */
export interface SavedNode {
  t: string;
  f?: string;
  p?: PositionInfo;
  l?: TurnInfo;
  s?: Side;
  o?: Outcome;
  e?: Ending;
  w?: number;
  r?: PositionReview;
  d?: DecidedInfo;
  m?: string;
  k?: [number, number];
  c?: SavedNode[];
}

export interface SavedTree {
  variant: string;
  start: string | null;
  root: SavedNode;
  tags?: Record<string, string>;
}

/** Of nodes that are not saved `whole`, what the engine can tell again is left out: most of a game's size. */
export function save(tree: GameTree, whole: (node: GameNode) => boolean = () => true): SavedTree {
  const { variant, start, root, tags } = tree;
  return { variant, start, root: saveNode(root, whole), ...(tags ? { tags } : {}) };
}

/** Without recursion along the main line a long game would nest too deep; games are short enough (below 300 plies). */
function saveNode(node: GameNode, whole: (node: GameNode) => boolean): SavedNode {
  const saved: SavedNode = { t: node.turn };
  if (whole(node)) {
    if (node.fen !== null) saved.f = node.fen;
    if (node.position) saved.p = node.position;
    if (node.last) saved.l = node.last;
    if (node.review) saved.r = node.review;
    if (node.decided) saved.d = node.decided;
  }
  if (node.toMove) saved.s = node.toMove;
  if (node.outcome) saved.o = node.outcome;
  if (node.ending) saved.e = node.ending;
  if (node.whiteWinrate !== null) saved.w = Math.round(node.whiteWinrate * 10_000) / 10_000;
  if (node.comment) saved.m = node.comment;
  if (node.clock) saved.k = [node.clock.white, node.clock.black];
  if (node.children.length > 0) saved.c = node.children.map((child) => saveNode(child, whole));
  return saved;
}

/** Throws if the data is not what `save` writes. */
export function restore(saved: SavedTree): GameTree {
  if (!isVariant(saved.variant)) throw new Error(`no rule set ${saved.variant}`);
  const fen = saved.root.f;
  if (typeof fen !== 'string') throw new Error('no position');
  const tree = newTree(saved.variant, typeof saved.start === 'string' ? saved.start : null, fen);
  const tags = Object.entries(saved.tags ?? {}).filter(([, text]) => typeof text === 'string');
  if (tags.length > 0) tree.tags = Object.fromEntries(tags);
  fill(tree, tree.root, saved.root);
  return tree;
}

function fill(tree: GameTree, node: GameNode, saved: SavedNode): void {
  node.fen = saved.f ?? null;
  node.position = saved.p ?? node.position;
  node.last = saved.l ?? null;
  node.toMove = saved.s ?? null;
  node.outcome = saved.o ?? null;
  node.ending = saved.e ?? null;
  node.decided = saved.d ?? null;
  node.whiteWinrate = saved.w ?? null;
  // Up to version 0.2.0 lines were kept without squares: such a position is searched again.
  node.review = saved.r?.line.every((turn) => typeof turn === 'object') ? saved.r : null;
  node.comment = saved.m ?? '';
  node.clock = saved.k ? { white: saved.k[0], black: saved.k[1] } : null;
  for (const child of saved.c ?? []) {
    if (typeof child.t !== 'string') throw new Error('a turn is no text');
    fill(tree, play(tree, node, child.t), child);
  }
}
