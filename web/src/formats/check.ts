// A game from outside against the rules: the engine looks at every line of it. Turns get the engine's spelling; a turn
// that the rules refuse is cut off with what follows it, and reported with its place.
import { messageOf } from '../errors';
import { gameOf } from '../games';
import type { LegalMovesAnswer, LegalMovesQuery } from '../protocol';
import type { GameRecord, RecordNode } from './record';
import { canonical } from './spelling';

export type Ask = (query: LegalMovesQuery) => Promise<LegalMovesAnswer>;

export interface Checked {
  record: GameRecord;
  /** What was cut off and why, for people. */
  problems: string[];
  /** Turns that are left. */
  turns: number;
  /** The end of the main line. */
  last: LegalMovesAnswer;
}

interface Refused extends Error {
  field?: string;
}

/** Which turn of `moves[7]` is to blame. */
function blamed(error: unknown): number | null {
  const field = error instanceof Error ? (error as Refused).field : undefined;
  const index = /^moves\[(\d+)\]$/.exec(field ?? '')?.[1];
  return index === undefined ? null : Number(index);
}

/** Rejects if the start itself is refused: the message is the engine's own line. */
export async function check(record: GameRecord, ask: Ask): Promise<Checked> {
  const { family } = gameOf(record.variant);
  const position = record.start === null ? {} : { fen: record.start };
  const query = (moves: string[]): LegalMovesQuery => ({
    action: 'legal_moves',
    variant: record.variant,
    ...position,
    ...(moves.length > 0 ? { moves } : {}),
  });
  const problems: string[] = [];
  const start = await ask(query([]));
  const black = start.currentPlayer === 'black' ? 1 : 0;
  const report = (node: RecordNode, ply: number, why: string) => {
    const number = Math.floor((ply - 1 + black) / 2) + 1;
    const side = (ply - 1 + black) % 2 === 0 ? 'White' : 'Black';
    const line = node.line > 0 ? `Line ${node.line}, turn` : 'Turn';
    // The engine names the turn as well: once is enough.
    const reason = why.replace(/^illegal move '[^']*': /, '').replace(/\.?$/, '.');
    problems.push(`${line} ${number} of ${side}, '${node.turn.slice(0, 40)}': ${reason}`);
  };
  // First by spelling alone, so that equal turns of a node become one.
  let turns = 0;
  const open = [{ node: record.root, ply: 0 }];
  for (let at = open.pop(); at; at = open.pop()) {
    const kept = new Map<string, RecordNode>();
    for (const child of at.node.children) {
      const turn = canonical(child.turn, family);
      if (turn === null) {
        report(child, at.ply + 1, 'this is not a turn');
        continue;
      }
      const same = kept.get(turn);
      if (same) {
        same.children.push(...child.children);
        if (child.comment) same.comment = [same.comment, child.comment].filter(Boolean).join('\n');
      } else {
        child.turn = turn;
        kept.set(turn, child);
      }
    }
    at.node.children = [...kept.values()];
    for (const child of at.node.children) open.push({ node: child, ply: at.ply + 1 });
  }
  // Then line by line, from the start to each end: one question covers all turns of a line.
  let last = start;
  const walk: RecordNode[] = [];
  const branches = [...record.root.children].reverse().map((node) => ({ node, ply: 1 }));
  let first = true;
  for (let next = branches.pop(); next; next = branches.pop()) {
    walk.length = next.ply - 1;
    walk.push(next.node);
    for (let at = next.node; at.children[0]; ) {
      for (let index = at.children.length - 1; index > 0; index -= 1)
        branches.push({ node: at.children[index]!, ply: walk.length + 1 });
      at = at.children[0];
      walk.push(at);
    }
    const main: boolean = first;
    first = false;
    for (;;) {
      try {
        const answer = await ask(query(walk.map((node) => node.turn)));
        if (main) last = answer;
        turns += walk.length - next.ply + 1;
        break;
      } catch (error) {
        const index = blamed(error);
        if (index === null || index >= walk.length || index < next.ply - 1) throw error;
        const node = walk[index]!;
        const parent = index === 0 ? record.root : walk[index - 1]!;
        report(node, index + 1, messageOf(error));
        const lost = walk.length - index - 1;
        if (lost > 0)
          problems[problems.length - 1] +=
            ` The ${lost === 1 ? 'turn' : `${lost} turns`} after it cannot be played.`;
        // Its variations wait among the branches; those behind it go with it.
        const dead = new Set(walk.slice(index));
        for (let at = branches.length - 1; at >= 0; at -= 1) {
          const branch = branches[at]!;
          if ([...dead].some((gone) => gone.children.includes(branch.node))) branches.splice(at, 1);
        }
        parent.children = parent.children.filter((child) => child !== node);
        walk.length = index;
        if (index < next.ply) break;
      }
    }
  }
  if (first === false && record.root.children.length === 0) last = start;
  return { record, problems, turns, last };
}
