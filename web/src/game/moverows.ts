// The tree of a game as rows for a list: the main line in two columns, variations and comments between them.
import { other, type Side } from '../protocol';
import { wordsIn } from './drawn';
import type { GameNode } from './tree';

export type MoveRow =
  | { kind: 'turns'; number: number; white: GameNode | null; black: GameNode | null }
  | { kind: 'variations'; lines: GameNode[] }
  | { kind: 'comment'; node: GameNode };

/** From a node on, whose turn it is there and with which number. */
export interface RowStart {
  mover: Side;
  number: number;
}

/** The rows of the main line from `root` on. `white: null` in a row is a turn that stands in the row before. */
export function moveRows(root: GameNode, start: RowStart): MoveRow[] {
  const rows: MoveRow[] = [];
  let row: Extract<MoveRow, { kind: 'turns' }> | null = null;
  let { mover, number } = start;
  if (wordsIn(root.comment)) rows.push({ kind: 'comment', node: root });
  for (let node = root.children[0]; node; node = node.children[0]) {
    if (mover === 'white') {
      row = { kind: 'turns', number, white: node, black: null };
      rows.push(row);
    } else {
      if (row) row.black = node;
      else rows.push({ kind: 'turns', number, white: null, black: node });
      row = null;
      number += 1;
    }
    mover = other(mover);
    const lines = node.parent?.children.slice(1) ?? [];
    const comment = wordsIn(node.comment);
    if (comment) rows.push({ kind: 'comment', node });
    if (lines.length > 0) rows.push({ kind: 'variations', lines });
    // A comment or a variation after White's turn sends Black's answer to a row of its own.
    if (comment || lines.length > 0) row = null;
  }
  return rows;
}

/** Number and side of the turn that led to a node. */
export function turnNumber(node: GameNode, start: RowStart): { number: number; side: Side } {
  const halves = node.ply - 1 + (start.mover === 'black' ? 1 : 0);
  return { number: start.number + Math.floor(halves / 2), side: halves % 2 === 0 ? 'white' : 'black' };
}
