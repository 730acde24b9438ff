// Between the game on the board and a record of it.

import type { Match } from '../game/store';
import { type GameNode, type GameTree, lastOf, newTree, play } from '../game/tree';
import { gameOf, isVariant, type VariantId } from '../games';
import { type GameRecord, type RecordNode, recordNode } from './record';

/** Also says which node became which. */
export function treeOf(record: GameRecord): { tree: GameTree; nodes: Map<RecordNode, GameNode> } {
  const start = record.start === gameOf(record.variant).start ? null : record.start;
  const tree = newTree(record.variant, start, start ?? gameOf(record.variant).start);
  tree.tags = record.tags;
  tree.root.comment = record.root.comment;
  const nodes = new Map<RecordNode, GameNode>([[record.root, tree.root]]);
  const open = [record.root];
  for (let at = open.pop(); at; at = open.pop()) {
    const parent = nodes.get(at)!;
    for (const child of at.children) {
      const node = play(tree, parent, child.turn);
      node.comment = child.comment;
      nodes.set(child, node);
    }
    open.push(...at.children);
  }
  return { tree, nodes };
}

/** What is on the board, and the record's node for the one that is shown. */
export function recordOf(
  match: Match,
  shown: GameNode,
  today = new Date(),
): { record: GameRecord; at: RecordNode } {
  const { tree, setup } = match;
  const variant: VariantId = isVariant(tree.variant) ? tree.variant : setup.variant;
  const nodes = new Map<GameNode, RecordNode>([[tree.root, { ...recordNode(), comment: tree.root.comment }]]);
  const open = [tree.root];
  for (let at = open.pop(); at; at = open.pop()) {
    const parent = nodes.get(at)!;
    for (const child of at.children) {
      const node = { ...recordNode(child.turn), comment: child.comment };
      parent.children.push(node);
      nodes.set(child, node);
    }
    open.push(...at.children);
  }
  const record: GameRecord = {
    variant,
    start: tree.start,
    root: nodes.get(tree.root)!,
    tags: tagsOf(match, today),
    notes: [],
  };
  return { record, at: nodes.get(shown) ?? record.root };
}

function tagsOf(match: Match, today: Date): Record<string, string> {
  const { tree, setup, ending } = match;
  const { outcome } = lastOf(tree.root);
  const winner = ending?.winner ?? outcome;
  const result =
    winner === 'white' ? '1-0' : winner === 'black' ? '0-1' : winner === 'draw' ? '1/2-1/2' : '*';
  if (tree.tags) {
    // A game from elsewhere keeps its own tags; its result is filled in where it had none.
    const known = tree.tags.Result;
    return { ...tree.tags, Result: known === undefined || known === '*' ? result : known };
  }
  const name = (side: 'white' | 'black') => {
    const player = setup.players[side];
    return player.kind === 'engine' ? `Hippolyta (${player.level})` : '?';
  };
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return {
    Event: '?',
    Site: '?',
    Date: date.join('.'),
    Round: '-',
    White: name('white'),
    Black: name('black'),
    Result: result,
    ...(ending ? { Termination: ending.reason } : {}),
  };
}
