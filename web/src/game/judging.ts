// What a turn lost: the questions to the engine. Reviews ask for every turn of a game, problems from mistakes for what is
// tried.
import { session } from '../host';
import {
  type AfterBestFields,
  type AnalyseQuery,
  type Analysis,
  type MoveReviewed,
  other,
  type PositionFields,
  type PositionQuery,
  type Side,
} from '../protocol';
import { lineOf } from '../turns';
import { standing } from './standing';
import type { PositionReview } from './tree';

/** Turns of a line that are kept: the whole filling of an endgame is more than anybody looks at. */
const KEPT = 8;

/** A review's findings on a position, in the fields of a query. */
export function told(side: Side, review: PositionReview): PositionFields {
  const { afterBest } = review;
  return { ...found(side, review), ...(afterBest && { afterBest: found(other(side), afterBest) }) };
}

function found(side: Side, { white, line, proven }: PositionReview): AfterBestFields {
  const outcome = proven && (proven.outcome === 'draw' ? 'draw' : proven.outcome === side ? 'win' : 'loss');
  return {
    winrate: side === 'white' ? white : 1 - white,
    line: line.map((turn) => turn.text),
    ...(outcome && { result: { outcome } }),
  };
}

export function positionReview(answer: Analysis, nodes: number): PositionReview {
  const { rootInfo, moveInfos } = answer;
  const { white, proven } = standing(rootInfo, rootInfo.currentPlayer);
  return {
    white: Math.round(white * 10_000) / 10_000,
    line: moveInfos[0] ? lineOf(moveInfos[0]).slice(0, KEPT) : [],
    nodes,
    proven,
  };
}

function after(position: PositionQuery, turn: string): PositionQuery & { moves: string[] } {
  return { ...position, moves: [...(position.moves ?? []), turn] };
}

/** The review of the position after a turn. */
export async function searchAfter(
  before: PositionQuery,
  turn: string,
  nodes: number,
  ask: (query: AnalyseQuery) => Promise<Analysis>,
): Promise<PositionReview> {
  return positionReview(await ask({ ...after(before, turn), nodes, prove: true, priority: -1 }), nodes);
}

/** The engine's verdict on a turn, by the reviews of the positions before and after it. */
export async function verdictOn(
  before: PositionQuery,
  turn: string,
  side: Side,
  reviews: { before: PositionReview; after: PositionReview },
): Promise<MoveReviewed> {
  const position = after(before, turn);
  const answer = await session.ask({
    action: 'review',
    ...position,
    positions: [
      ...Array(position.moves.length - 1).fill(null),
      told(side, reviews.before),
      told(other(side), reviews.after),
    ],
  });
  return answer.moves[0]!;
}
