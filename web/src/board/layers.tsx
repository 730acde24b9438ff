// What is drawn on the squares besides the pieces. Plain props: analysis feeds them as well as the game.
import { signal } from '@preact/signals';
import type { BoardView, Letter, Square } from '../fen';
import type { Side } from '../protocol';
import { centre, type Point, UNIT } from './geometry';

/** Whose a square is expected to be: 1 White's, -1 Black's. `settled` is certain. */
export interface SquareMark {
  square: Square;
  owner: number;
  settled: boolean;
}

/** A turn drawn over the board: its squares in the order of a turn, 0 … 1 for its width and strength. */
export interface BoardArrow {
  squares: Square[];
  fires: boolean;
  weight: number;
  label: string;
  kind: 'best' | 'other' | 'hint';
}

/** Set by analysis; the main board shows them. */
export const boardMarks = signal<SquareMark[]>([]);
export const boardArrows = signal<BoardArrow[]>([]);

interface Place {
  view: BoardView;
  bottom: Side;
}

/** White's squares carry discs, Black's diamonds: told apart without colour. Settled squares are tinted in full. */
export function Marks({ marks, view, bottom }: Place & { marks: readonly SquareMark[] }) {
  return (
    <g class="marks">
      {marks.map(({ square, owner, settled }) => {
        const strength = Math.min(1, Math.abs(owner));
        if (strength < 0.05) return null;
        const { x, y } = centre(square, view, bottom);
        const size = 8 + 14 * strength;
        const side = owner > 0 ? 'white' : 'black';
        return (
          <g key={square} class={`owner ${side}`}>
            <rect
              x={x - UNIT / 2}
              y={y - UNIT / 2}
              width={UNIT}
              height={UNIT}
              opacity={settled ? 0.5 : 0.3 * strength}
            />
            {side === 'white' ? (
              <circle cx={x} cy={y} r={size * 0.8} />
            ) : (
              <path d={`M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}Z`} />
            )}
          </g>
        );
      })}
    </g>
  );
}

/** From, to, and the square of the fire. */
export function LastTurn({ squares, view, bottom }: Place & { squares: readonly Square[] }) {
  return (
    <g class="last">
      {squares.map((square) => {
        const { x, y } = centre(square, view, bottom);
        return <rect key={square} x={x - UNIT / 2} y={y - UNIT / 2} width={UNIT} height={UNIT} />;
      })}
    </g>
  );
}

interface TargetsProps extends Place {
  squares: ReadonlySet<Square>;
  pieces: ReadonlyMap<Square, Letter>;
  firing: boolean;
}

/** Where the next choice may fall: dots for going, small crosses for firing. */
export function Targets({ squares, pieces, view, bottom, firing }: TargetsProps) {
  return (
    <g class={firing ? 'targets firing' : 'targets'}>
      {[...squares].map((square) => {
        const { x, y } = centre(square, view, bottom);
        if (pieces.has(square)) return <circle key={square} class="around" cx={x} cy={y} r="40" />;
        return firing ? (
          <path key={square} d={`M${x - 11} ${y - 11}l22 22M${x + 11} ${y - 11}l-22 22`} />
        ) : (
          <circle key={square} cx={x} cy={y} r="13" />
        );
      })}
    </g>
  );
}

export function Arrows({ arrows, view, bottom }: Place & { arrows: readonly BoardArrow[] }) {
  return (
    <g class="arrows">
      {/* The best one is drawn last, on top. */}
      {[...arrows].reverse().map((arrow) => (
        <Arrow key={arrow.squares.join()} arrow={arrow} view={view} bottom={bottom} />
      ))}
    </g>
  );
}

function Arrow({ arrow, view, bottom }: Place & { arrow: BoardArrow }) {
  const points = arrow.squares.map((square) => centre(square, view, bottom));
  const way = arrow.fires ? points.slice(0, 2) : points;
  const fire = arrow.fires ? points.at(-1) : undefined;
  const to = way.at(-1);
  const before = way.at(-2);
  if (!to || !before) return null;
  const width = 7 + 9 * arrow.weight;
  const neck = shorten(before, to, width * 2.2);
  const label = between(before, to, 0.5);
  return (
    <g class={`arrow ${arrow.kind}`} opacity={0.45 + 0.45 * arrow.weight}>
      <polyline points={[...way.slice(0, -1), neck].map(({ x, y }) => `${x},${y}`).join(' ')} stroke-width={width} />
      <path class="head" d={head(neck, to, width * 1.5)} />
      {fire && (
        <>
          <line
            class="shot"
            x1={to.x}
            y1={to.y}
            x2={fire.x}
            y2={fire.y}
            stroke-width={width * 0.55}
            stroke-dasharray={`${width} ${width}`}
          />
          <path
            class="cross"
            d={`M${fire.x - 16} ${fire.y - 16}l32 32M${fire.x + 16} ${fire.y - 16}l-32 32`}
            stroke-width={width * 0.7}
          />
        </>
      )}
      {arrow.label && (
        <g class="label">
          <rect x={label.x - 40} y={label.y - 20} width="80" height="40" rx="12" />
          <text x={label.x} y={label.y + 9} text-anchor="middle">
            {arrow.label}
          </text>
        </g>
      )}
    </g>
  );
}

function shorten(from: Point, to: Point, by: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return between(from, to, Math.max(0, 1 - by / length));
}

function between(a: Point, b: Point, at: number): Point {
  return { x: a.x + (b.x - a.x) * at, y: a.y + (b.y - a.y) * at };
}

function head(neck: Point, tip: Point, half: number): string {
  const length = Math.hypot(tip.x - neck.x, tip.y - neck.y) || 1;
  const across = { x: (-(tip.y - neck.y) / length) * half, y: ((tip.x - neck.x) / length) * half };
  return `M${tip.x} ${tip.y}L${neck.x + across.x} ${neck.y + across.y}L${neck.x - across.x} ${neck.y - across.y}Z`;
}
