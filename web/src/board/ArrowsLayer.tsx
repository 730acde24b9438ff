// Turns drawn over the board: solid arrows for moves, a dashed line with a target for the shot.

import type { Square } from '../squares';
import { arrowShape, shorten } from './arrows';
import type { Point } from './geometry';
import type { BoardArrow } from './layers';

interface ArrowsProps {
  arrows: readonly BoardArrow[];
  centre: (square: Square) => Point;
}

export function ArrowsLayer({ arrows, centre }: ArrowsProps) {
  if (arrows.length === 0) return null;
  const crowded = crowdedEnds(arrows);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group takes no focus
    <g class="arrows" aria-hidden="true">
      {arrows.map((arrow) => (
        <Arrow
          key={`${arrow.kind} ${arrow.squares.join(' ')}`}
          arrow={arrow}
          centre={centre}
          crowded={crowded.has(arrow)}
        />
      ))}
    </g>
  );
}

/** Arrows that end where one that lies further up ends, too: their numbers would be hidden. */
function crowdedEnds(arrows: readonly BoardArrow[]): Set<BoardArrow> {
  const ends = new Set<Square | undefined>();
  const crowded = new Set<BoardArrow>();
  for (const arrow of arrows.toReversed()) {
    const end = arrow.squares.at(-1);
    if (ends.has(end)) crowded.add(arrow);
    ends.add(end);
  }
  return crowded;
}

interface ArrowProps {
  arrow: BoardArrow;
  centre: ArrowsProps['centre'];
  crowded: boolean;
}

function Arrow({ arrow, centre, crowded }: ArrowProps) {
  const points = arrow.squares.map(centre);
  const moves = arrow.fires ? points.slice(0, -1) : points;
  const width = 9 + 13 * arrow.weight;
  const landing = moves[moves.length - 1];
  const shot = arrow.fires ? points[points.length - 1] : undefined;
  const [before, end] = points.slice(-2);
  const place = crowded && before && end ? between(before, end) : (points.at(-1) ?? { x: 0, y: 0 });
  return (
    <g class={`turn-arrow ${arrow.kind}`} opacity={0.7 + 0.25 * arrow.weight}>
      {moves.slice(1).map((to, index) => {
        const from = moves[index]!;
        // The head ends before the middle, so that a piece or a label there can be seen.
        return (
          <path
            key={`${to.x} ${to.y}`}
            class="move"
            d={arrowShape(shorten(to, from, 22), shorten(from, to, 14), width)}
          />
        );
      })}
      {/* A square alone is meant. */}
      {points.length === 1 && <circle class="ring" cx={place.x} cy={place.y} r={42} />}
      {landing && shot && <Shot from={landing} to={shot} width={width} />}
      {/* Lines often share a move and differ in the shot: the number stands where the turn ends. */}
      {arrow.label && landing && <Order text={arrow.label} at={place} />}
    </g>
  );
}

function Shot({ from, to, width }: { from: Point; to: Point; width: number }) {
  const end = shorten(from, to, 24);
  const start = shorten(to, from, 18);
  return (
    <g class="shot">
      <path class="halo" d={`M${start.x} ${start.y}L${end.x} ${end.y}`} stroke-width={width * 0.55 + 5} />
      <path class="dashes" d={`M${start.x} ${start.y}L${end.x} ${end.y}`} stroke-width={width * 0.55} />
      <circle class="target" cx={to.x} cy={to.y} r={26} />
      <path class="cross" d={`M${to.x - 9} ${to.y - 9}l18 18m0 -18l-18 18`} />
    </g>
  );
}

function Order({ text, at }: { text: string; at: Point }) {
  return (
    <g class="number">
      <circle cx={at.x} cy={at.y} r={19} />
      <text x={at.x} y={at.y} font-size={26} text-anchor="middle" dominant-baseline="central">
        {text}
      </text>
    </g>
  );
}

function between(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
