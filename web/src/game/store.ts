// The game on the board: one tree, one current node, who plays, and what is kept of it in the browser.

import { batch, computed, effect, signal } from '@preact/signals';
import { messageOf, NothingFound, QueryError } from '../errors';
import { type Game, gameOf, isVariant, type VariantId } from '../games';
import { session } from '../host';
// Before a game is recalled: it may be one of these.
import '../keptRules';
import type { KindInfo, LegalMoves, Outcome, PositionQuery, Side } from '../protocol';
import { type BoardView, viewOf } from '../squares';
import { keep, recall } from '../storage';
import { type Turn, TurnIndex } from '../turns';
import { endingOf } from './tags';
import {
  type GameNode,
  type GameTree,
  know,
  lastOf,
  line,
  mainLine,
  newTree,
  play,
  playOn,
  remove,
  restore,
  type SavedTree,
  save,
  turnsTo,
} from './tree';

export type Player = { kind: 'human' } | { kind: 'engine'; level: string };

/** Milliseconds at the start and for each turn. */
export interface TimeControl {
  start: number;
  increment: number;
}

export interface Setup {
  variant: VariantId;
  /** `null` is the rule set's own start. */
  start: string | null;
  players: Record<Side, Player>;
  control: TimeControl | null;
  /** Milliseconds a turn for full strength without a clock. */
  movetime: number;
}

/** How a game ended off the board. What the rules say is in the node's `outcome`. */
export interface Ending {
  winner: Outcome;
  /** `recorded`: its record says no more than who won. */
  reason: 'resigned' | 'time' | 'decided' | 'recorded';
  /** With `decided`: by how much White wins, if that is known. */
  margin?: number | null;
}

export interface Match {
  readonly tree: GameTree;
  readonly setup: Setup;
  ending: Ending | null;
  /** The node where the game stands; the current node may be elsewhere. */
  tip: GameNode;
  /** Of a game that was played on this page, from its first turn on: one that began later comes later. */
  id?: string | undefined;
}

export const TABS = ['play', 'analyse', 'review', 'learn', 'problems'] as const;
export type Tab = (typeof TABS)[number];

/** Whether a page of its own is open in place of the game's board. */
export function isReading(): boolean {
  return tab.peek() === 'learn' || tab.peek() === 'problems';
}

const KEY = 'game';
const HUMANS: Record<Side, Player> = { white: { kind: 'human' }, black: { kind: 'human' } };

export const firstSetup: Setup = {
  variant: 'amazons6',
  start: null,
  players: { white: { kind: 'human' }, black: { kind: 'engine', level: 'beginner' } },
  control: null,
  movetime: 1000,
};

export const tab = signal<Tab>('play');
export const match = signal<Match>(recall(KEY, readMatch) ?? newMatch(firstSetup));
export const current = signal<GameNode>(match.peek().tip);
/** Rises with every change of the tree that signals do not see: read it where nodes are shown. */
export const revision = signal(0);
/** The side at the bottom of the board. */
export const bottom = signal<Side>(bottomOf(match.peek().setup));
/** The engine does not play and clocks stand still. */
export const paused = signal(false);

export const game = computed<Game>(() => gameOf(match.value.setup.variant));

/** The position on the board. While a new node's is not known yet, that of the last known node before it. */
export const view = computed<BoardView>(() => {
  revision.value;
  let node: GameNode | null = current.value;
  while (node && !node.position) node = node.parent;
  return viewOf(node?.position ?? game.value.position);
});

/** The positions of the main line. */
export const positions = computed<GameNode[]>(() => {
  revision.value;
  return mainLine(match.value.tree.root);
});

/** Kinds of turns that lost much, the least first; empty until a game was reviewed. */
export const kinds = signal<readonly KindInfo[]>([]);

/** The legal turns at the current node; `null` until they are known. */
export const legal = signal<TurnIndex | null>(null);

/** Takes the turns entered on the board instead of the game, as while a mistake is tried again. */
export const turnTaker = signal<((turn: Turn) => void) | null>(null);

/** Is the game still being played? */
export function isGoingOn({ ending, tip }: Match): boolean {
  return ending === null && tip.outcome === null;
}

/** Is this the finished game of others, which is looked at and not played on? */
export function isRecord(now: Match): boolean {
  return now.tree.tags !== undefined && !isGoingOn(now);
}

/**
 * The turns that may be entered on the board. While a game is played, that is only where it stands and only for a
 * person's side; everywhere else the board is for trying things out.
 */
export const enterable = computed<TurnIndex | null>(() => {
  revision.value;
  const now = match.value;
  if (tab.value !== 'play' || turnTaker.value) return legal.value;
  if (!isGoingOn(now) || current.value !== now.tip) return null;
  const { toMove } = now.tip;
  return toMove && now.setup.players[toMove].kind === 'human' ? legal.value : null;
});

/** A line for people about what went wrong; empty if nothing did. */
export const problem = signal('');

export function positionOf(node: GameNode): PositionQuery {
  const { tree, setup } = match.peek();
  const query: PositionQuery = { variant: setup.variant };
  if (tree.start !== null) query.fen = tree.start;
  const moves = turnsTo(node);
  if (moves.length > 0) query.moves = moves;
  return query;
}

/** Call after changing nodes by hand: shows and keeps the change. */
export function touch(): void {
  revision.value += 1;
}

// Legal turns of the nodes looked at last. A list may hold thousands of turns, so not all are kept.
const LISTS = 32;
const lists = new Map<GameNode, TurnIndex>();
const asking = new Map<GameNode, Promise<TurnIndex>>();

/** The legal turns of a node, asked for once. Fills in the node's position. */
export async function turnsOf(node: GameNode): Promise<TurnIndex> {
  const known = lists.get(node);
  if (known) return known;
  const asked = asking.get(node) ?? askTurns(node);
  asking.set(node, asked);
  try {
    return await asked;
  } finally {
    asking.delete(node);
  }
}

async function askTurns(node: GameNode): Promise<TurnIndex> {
  const answer = await session.ask({
    action: 'legal_moves',
    ...positionOf(node),
    includeDecided: true,
    includePosition: true,
    includeTurns: true,
  });
  know(node, answer);
  const index = new TurnIndex(answer);
  lists.set(node, index);
  if (lists.size > LISTS) lists.delete(lists.keys().next().value as GameNode);
  touch();
  return index;
}

let looking: Promise<void> = Promise.resolve();

/** Waits until `legal` holds the turns of the position on the board, or the engine has said why it cannot. */
export function legalKnown(): Promise<void> {
  return looking;
}

effect(() => {
  const node = current.value;
  legal.value = lists.get(node) ?? null;
  looking = turnsOf(node)
    .then((index) => {
      if (current.peek() === node) legal.value = index;
    })
    .catch((error: unknown) => {
      if (error instanceof NothingFound) return;
      problem.value = messageOf(error);
      // A turn that the rules refuse cannot stay in the game.
      if (error instanceof QueryError && node.parent && !node.position) drop(node);
    });
});

/** Shows a node. */
export function go(node: GameNode): void {
  current.value = node;
}

/** Plays a turn from the current node. In the game itself (at its tip) the game goes on there. */
export function playTurn(turn: Turn): GameNode {
  const now = match.peek();
  const at = current.peek();
  if (at === now.tip && tab.peek() === 'play' && !now.ending) return playAtTip(turn);
  const node = play(now.tree, at, turn.text, turn);
  current.value = node;
  touch();
  return node;
}

/** The game goes on. Whoever looks at its last position goes with it; whoever looks elsewhere stays there. */
export function playAtTip(turn: Turn): GameNode {
  const now = match.peek();
  const at = now.tip;
  now.id ??= newId();
  const node = playOn(now.tree, at, turn.text, turn);
  now.tip = node;
  batch(() => {
    if (current.peek() === at) current.value = node;
    touch();
  });
  return node;
}

/** Begins with the time, in as many letters until the year 2059. */
export function newId(): string {
  return Date.now().toString(36) + Math.random().toString(36).slice(2, 8);
}

/** When the game of this id began. */
export function dateOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8), 36));
}

/** A turn was entered: the game goes on, or whoever asked for it takes it. */
export function takeTurn(turn: Turn): void {
  const taker = turnTaker.peek();
  if (taker) taker(turn);
  else playTurn(turn);
}

/** Takes a node and what follows out of the tree. */
export function drop(node: GameNode): void {
  const { parent } = node;
  if (!parent) return;
  const now = match.peek();
  if (line(now.tip).includes(node)) now.tip = parent;
  if (line(current.peek()).includes(node)) current.value = parent;
  remove(node);
  touch();
}

/** `told` is what the engine has said of the start, if it was asked. */
export function newMatch(setup: Setup, told: LegalMoves | null = null): Match {
  const tree = newTree(setup.variant, setup.start, setup.start ?? gameOf(setup.variant).start);
  if (told) know(tree.root, told);
  return { tree, setup, ending: null, tip: tree.root };
}

/** Puts another game on the board. */
export function begin(next: Match, at: GameNode = next.tip): void {
  lists.clear();
  paused.value = false;
  problem.value = '';
  match.value = next;
  current.value = at;
  bottom.value = bottomOf(next.setup);
  touch();
}

/** A game from elsewhere (an import, a link, a match): two people, to be looked at. It is over where its record says so. */
export function matchOf(tree: GameTree, movetime: number): Match {
  const setup = { variant: tree.variant, start: tree.start, players: HUMANS, control: null, movetime };
  return { tree, setup, ending: endingOf(tree.tags), tip: lastOf(tree.root) };
}

/** Puts such a game on the board. */
export function beginTree(tree: GameTree): void {
  begin(matchOf(tree, firstSetup.movetime));
}

function bottomOf(setup: Setup): Side {
  return setup.players.white.kind === 'engine' && setup.players.black.kind === 'human' ? 'black' : 'white';
}

/** A game as it is written down. */
export interface SavedMatch {
  tree: SavedTree;
  setup: Setup;
  ending: Ending | null;
  /** Which child to take at each node on the way to the tip. Up to version 0.2.0 the game before was kept without. */
  tip?: number[];
  id?: string | undefined;
}

/** `brief`: without what the engine can tell again of all but the first and the last position. */
export function saveMatch({ tree, setup, ending, tip, id }: Match, brief = false): SavedMatch {
  const isEnd = (node: GameNode) => node === tip || node === tree.root;
  const saved = brief ? save(tree, isEnd) : save(tree);
  return { tree: saved, setup, ending, tip: pathTo(tip), id };
}

/** Throws if the data is not what `saveMatch` writes, or cannot be drawn. */
export function readMatch(value: unknown): Match {
  const saved = value as SavedMatch;
  if (!isVariant(saved.setup.variant)) throw new Error(`no rule set ${saved.setup.variant}`);
  if (!saved.setup.players.white.kind || !saved.setup.players.black.kind) throw new Error('nobody plays');
  const tree = restore(saved.tree);
  let tip = saved.tip ? tree.root : lastOf(tree.root);
  for (const at of saved.tip ?? []) tip = tip.children[at] ?? tip;
  for (const { position } of [tree.root, tip]) if (position) viewOf(position);
  return { tree, setup: saved.setup, ending: saved.ending, tip, id: saved.id };
}

/** Which child to take at each node on the way from the root. */
function pathTo(node: GameNode): number[] {
  return line(node)
    .slice(1)
    .map((at) => at.parent?.children.indexOf(at) ?? 0);
}

effect(() => {
  revision.value;
  keep(KEY, saveMatch(match.value));
});
