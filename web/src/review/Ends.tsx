// How it goes on after the best turn and after the one that was played, side by side, and the squares that this costs.
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { Board } from '../board/Board';
import type { SquareMark } from '../board/layers';
import { ShortTurn } from '../game/ShortTurn';
import { bottom, game, positionOf } from '../game/store';
import type { GameNode } from '../game/tree';
import { session } from '../host';
import { phrase, phraseParts } from '../messages';
import { type BoardView, type Square, viewOf } from '../squares';
import type { TurnVerdict } from './review';

/** Of a square that changes hands an owner is marked who has so much of it. */
const LEAST = 0.25;

const LINES = ['best', 'played'] as const;

async function endOf(from: GameNode, turns: readonly string[]): Promise<BoardView> {
  const position = positionOf(from);
  const moves = [...(position.moves ?? []), ...turns];
  const told = await session.ask({ action: 'legal_moves', ...position, moves, includePosition: true });
  return viewOf(told.position!);
}

export function Ends({ of: { node, ends } }: { of: TurnVerdict }) {
  const views = useSignal<readonly BoardView[] | null>(null);
  useEffect(() => {
    let stale = false;
    views.value = null;
    Promise.all(LINES.map((line) => endOf(node.parent!, ends?.[line] ?? [])))
      .then((found) => {
        if (!stale) views.value = found;
      })
      // The words stand without the pictures.
      .catch(() => {});
    return () => {
      stale = true;
    };
  }, [node, ends]);
  if (!ends) return null;
  const { lost } = ends;
  // On so small a board the whole square is marked.
  const marks = (line: (typeof LINES)[number]) =>
    lost
      .filter((square) => Math.abs(square[line]) >= LEAST)
      .map((square): SquareMark => ({ square: square.square as Square, owner: square[line], settled: true }));
  return (
    <>
      <div class="ends">
        {LINES.map((line, at) => (
          <figure key={line}>
            <div class="ends-board" inert>
              {views.value && (
                <Board
                  rules={game.value}
                  view={views.value[at]!}
                  bottom={bottom.value}
                  marks={marks(line)}
                  coordinates={false}
                />
              )}
            </div>
            <figcaption class="quiet">
              {phraseParts(line === 'best' ? 'trial.afterBest' : 'trial.afterGame', {
                line: <Line key="line" of={ends[line]} />,
              })}
            </figcaption>
          </figure>
        ))}
      </div>
      {lost.length > 0 && <p>{phrase('trial.lost', { count: lost.length })}</p>}
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
