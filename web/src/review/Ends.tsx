// How it goes on after the best turn and after the one that was played, side by side, and the squares that this costs.
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { ownershipMarks } from '../analysis/marks';
import { Board } from '../board/Board';
import type { SquareMark } from '../board/layers';
import { ShortTurn } from '../game/ShortTurn';
import { bottom, game, positionOf } from '../game/store';
import type { GameNode } from '../game/tree';
import { session } from '../host';
import { phrase, phraseParts } from '../messages';
import type { Side } from '../protocol';
import { type BoardView, type Square, squaresOf, viewOf } from '../squares';
import type { TurnVerdict } from './review';
import { SHOWN } from './trial';

/** A search for who owns what in the end. */
const NODES = 2000;
/** A square that changes hands by less, of 2 from mine to yours, is not drawn. */
const LEAST = 0.5;

interface End {
  view: BoardView;
  /** Whose squares are, from White's view. */
  owners: readonly SquareMark[];
}

/** Both lines, as long as each other. */
function linesOf({ node, before, after }: TurnVerdict): [best: string[], played: string[]] {
  const best = before.line.map(({ text }) => text);
  const played = [node.turn, ...after.line.map(({ text }) => text)];
  const length = Math.min(best.length, played.length, SHOWN + 1);
  return [best.slice(0, length), played.slice(0, length)];
}

async function endOf(from: GameNode, turns: readonly string[]): Promise<End> {
  const position = positionOf(from);
  const there = { ...position, moves: [...(position.moves ?? []), ...turns] };
  const told = await session.ask({ action: 'legal_moves', ...there, includePosition: true });
  const view = viewOf(told.position!);
  if (!game.peek().ownership || told.outcome !== null) return { view, owners: [] };
  const { ownership = [], rootInfo } = await session.analyse({
    ...there,
    nodes: NODES,
    includeOwnership: true,
  }).done;
  return { view, owners: ownershipMarks(ownership, rootInfo.currentPlayer, view, undefined) };
}

/** The squares that a side loses from one end to the other, and whose they are in both. */
function lostIn([best, played]: readonly [End, End], side: Side) {
  const owners = [best, played].map(({ owners }) => new Map(owners.map((mark) => [mark.square, mark])));
  const sign = side === 'white' ? 1 : -1;
  const mine = (at: 0 | 1, square: Square) => sign * (owners[at]!.get(square)?.owner ?? 0);
  const empty = (square: Square) => ![best, played].some(({ view }) => view.pieces.has(square));
  const { width, height } = best.view;
  const squares = squaresOf(width, height).filter(
    (square) => empty(square) && mine(0, square) - mine(1, square) >= LEAST,
  );
  // On so small a board the whole square is marked.
  const marks = owners.map((of) =>
    squares
      .flatMap((square) => of.get(square) ?? [])
      .filter(({ owner }) => Math.abs(owner) >= LEAST / 2)
      .map((mark): SquareMark => ({ ...mark, settled: true })),
  );
  return { count: squares.length, marks };
}

export function Ends({ of: mistake }: { of: TurnVerdict }) {
  const ends = useSignal<readonly [End, End] | null>(null);
  const { node, side } = mistake;
  const lines = linesOf(mistake);
  useEffect(() => {
    let stale = false;
    ends.value = null;
    Promise.all(lines.map((line) => endOf(node.parent!, line)))
      .then(([best, played]) => {
        if (!stale) ends.value = [best!, played!];
      })
      // The words stand without the pictures.
      .catch(() => {});
    return () => {
      stale = true;
    };
  }, [node]);
  const lost = ends.value && lostIn(ends.value, side);
  return (
    <>
      <div class="ends">
        {(['trial.afterBest', 'trial.afterGame'] as const).map((key, at) => (
          <figure key={key}>
            <div class="ends-board" inert>
              {ends.value && (
                <Board
                  rules={game.value}
                  view={ends.value[at]!.view}
                  bottom={bottom.value}
                  marks={lost?.marks[at]}
                  coordinates={false}
                />
              )}
            </div>
            <figcaption class="quiet">
              {phraseParts(key, { line: <Line key="line" of={lines[at]!} /> })}
            </figcaption>
          </figure>
        ))}
      </div>
      {lost && lost.count > 0 && <p>{phrase('trial.lost', { count: lost.count })}</p>}
    </>
  );
}

function Line({ of: turns }: { of: readonly string[] }) {
  return (
    <>
      {turns.map((turn, at) => (
        <Fragment key={at}>
          <span class="whole">
            <ShortTurn turn={turn} />
          </span>{' '}
        </Fragment>
      ))}
    </>
  );
}
