// The board: an SVG that people would print, and an ARIA grid of squares.
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { ArrowsLayer } from '../analysis/ArrowsLayer';
import { MarksLayer } from '../analysis/MarksLayer';
import { type BoardView, isDark, type Square, squareName } from '../fen';
import type { Family } from '../games';
import { squareLabel } from '../names';
import type { Side } from '../protocol';
import type { TurnEntry } from './entry';
import { centre, neighbour, UNIT } from './geometry';
import { type BoardNow, PointerInput } from './input';
import { type BoardArrow, LastTurn, type SquareLabel, type SquareMark, Targets } from './layers';
import { Piece } from './pieces';
import { halfTurn, jumped, type Tracked, track } from './track';

export interface BoardProps {
  family: Family;
  view: BoardView;
  /** The side at the bottom. */
  bottom: Side;
  /** Turns are entered here; left out, the board is for looking at. */
  entry?: TurnEntry | undefined;
  /** The squares of the last turn. */
  last?: readonly Square[] | undefined;
  marks?: readonly SquareMark[] | undefined;
  labels?: readonly SquareLabel[] | undefined;
  arrows?: readonly BoardArrow[] | undefined;
  coordinates?: boolean | undefined;
  /** Are the squares shown where the next choice may fall? They are unless this is `false`. */
  targets?: boolean | undefined;
  /** Small boards on teaching pages have their own names. */
  label?: string | undefined;
}

const MARGIN = 34;
const RIM = 6;

export function Board(props: BoardProps) {
  const { view, bottom, family, entry, last = [], marks = [], labels = [], arrows = [] } = props;
  const svg = useRef<SVGSVGElement>(null);
  const now = useRef<BoardNow>({ svg: null, view, bottom, entry });
  now.current = { svg: svg.current, view, bottom, entry };
  const input = useMemo(() => new PointerInput(() => now.current), []);
  const tracked = useRef<Tracked[]>([]);
  const lastId = useRef(0);
  const focused = useSignal<Square>('a1');

  const path = entry?.path.value ?? [];
  const { next } = entry?.choices.value ?? { next: new Set<Square>() };
  const pieces = halfTurn(view.pieces, path);
  tracked.current = track(tracked.current, pieces, () => {
    lastId.current += 1;
    return lastId.current;
  });
  const shown: BoardView = { ...view, pieces };
  const taken = new Set(family === 'damone' ? jumped(path) : []);
  const moving = path.at(-1);
  const drag = input.drag.value;
  const aiming = drag !== null && path.length > 1 && family !== 'damone';

  const margin = (props.coordinates ?? true) ? MARGIN : RIM;
  const width = view.width * UNIT;
  const height = view.height * UNIT;
  const files = range(view.width).map((file) => (bottom === 'white' ? file : view.width - 1 - file));
  const ranks = range(view.height).map((rank) => (bottom === 'white' ? view.height - 1 - rank : rank));
  const focus = inside(focused.value, view) ? focused.value : 'a1';

  const at = (square: Square) => centre(square, view, bottom);
  // What is settled lies under the pieces; an estimate of a square with a piece keeps to its corner, above.
  const below = ({ square, settled }: SquareMark) => settled || !view.pieces.has(square);

  const label = (square: Square): string => {
    const parts = [squareLabel(square, shown, family)];
    if (square === moving) parts.push('chosen');
    else if (next.has(square)) parts.push(path.length > 0 ? 'possible' : 'can move');
    if (last.includes(square)) parts.push('in the last turn');
    return parts.join(', ');
  };

  const step = (right: number, down: number) => show(neighbour(focus, right, down, view, bottom));
  const show = (square: Square) => {
    focused.value = square;
    svg.current?.querySelector<SVGElement>(`[data-square="${square}"]`)?.focus();
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => step(-1, 0),
    ArrowRight: () => step(1, 0),
    ArrowUp: () => step(0, -1),
    ArrowDown: () => step(0, 1),
    Home: () => show(squareName(files[0]!, Number(focus.slice(1)) - 1)),
    End: () => show(squareName(files.at(-1)!, Number(focus.slice(1)) - 1)),
    Enter: () => entry?.choose(focus),
    ' ': () => entry?.choose(focus),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (entry?.undo()) event.stopPropagation();
      return;
    }
    const action = keys[event.key];
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <svg
      ref={svg}
      class={entry ? 'board' : 'board still'}
      viewBox={`${-margin} ${-RIM} ${width + margin + RIM} ${height + margin + RIM}`}
      role="grid"
      aria-label={props.label ?? 'Board'}
      aria-rowcount={view.height}
      aria-colcount={view.width}
      onPointerDown={input.down}
      onPointerMove={input.move}
      onPointerUp={input.up}
      onPointerCancel={input.cancel}
      onKeyDown={onKeyDown}
    >
      <rect
        class="frame"
        x={-RIM / 2}
        y={-RIM / 2}
        width={width + RIM}
        height={height + RIM}
        rx="4"
        aria-hidden="true"
      />
      {ranks.map((rank) => (
        <g role="row" key={rank}>
          {files.map((file) => {
            const square = squareName(file, rank);
            const { x, y } = centre(square, view, bottom);
            const classes = ['cell', isDark(square, family === 'damone') ? 'dark' : 'light'];
            if (next.has(square)) classes.push('open');
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys of all its squares
              <g
                key={square}
                role="gridcell"
                class={classes.join(' ')}
                data-square={square}
                tabIndex={square === focus ? 0 : -1}
                aria-label={label(square)}
                aria-selected={square === moving}
                onFocus={() => {
                  focused.value = square;
                }}
                // Screen readers click without a pointer.
                onClick={(event) => event.detail === 0 && entry?.choose(square)}
              >
                <rect class="base" x={x - UNIT / 2} y={y - UNIT / 2} width={UNIT} height={UNIT} />
                <rect
                  class="ring"
                  x={x - UNIT / 2 + 5}
                  y={y - UNIT / 2 + 5}
                  width={UNIT - 10}
                  height={UNIT - 10}
                  rx="6"
                />
              </g>
            );
          })}
        </g>
      ))}
      <g class="above" aria-hidden="true">
        <MarksLayer marks={marks.filter(below)} labels={[]} occupied={view.pieces} centre={at} />
        <LastTurn squares={last} view={view} bottom={bottom} />
        {moving !== undefined && <Chosen square={moving} view={view} bottom={bottom} />}
        {tracked.current.map(({ id, square, letter }) => {
          const dragged = drag !== null && square === moving && !aiming;
          const { x, y } = dragged ? drag : centre(square, view, bottom);
          const classes = ['piece-place'];
          if (dragged) classes.push('dragged');
          if (taken.has(square)) classes.push('taken');
          return (
            <g key={id} class={classes.join(' ')} style={{ transform: `translate(${x}px, ${y}px)` }}>
              <Piece letter={letter} family={family} />
            </g>
          );
        })}
        {(props.targets ?? true) && path.length > 0 && (
          <Targets
            squares={next}
            pieces={pieces}
            view={view}
            bottom={bottom}
            firing={path.length > 1 && family !== 'damone'}
          />
        )}
        {aiming && moving && <Aim from={centre(moving, view, bottom)} to={drag} />}
        <MarksLayer
          marks={marks.filter((mark) => !below(mark))}
          labels={labels}
          occupied={view.pieces}
          centre={at}
        />
        <ArrowsLayer arrows={arrows} centre={at} />
        {(props.coordinates ?? true) && (
          <g class="coordinates">
            {files.map((file, at) => (
              <text key={file} x={(at + 0.5) * UNIT} y={height + 27} text-anchor="middle">
                {String.fromCharCode(97 + file)}
              </text>
            ))}
            {ranks.map((rank, at) => (
              <text key={rank} x={-19} y={(at + 0.5) * UNIT + 8} text-anchor="middle">
                {rank + 1}
              </text>
            ))}
          </g>
        )}
      </g>
    </svg>
  );
}

function Chosen({ square, view, bottom }: { square: Square; view: BoardView; bottom: Side }) {
  const { x, y } = centre(square, view, bottom);
  return <rect class="chosen" x={x - UNIT / 2} y={y - UNIT / 2} width={UNIT} height={UNIT} />;
}

function Aim({ from, to }: { from: { x: number; y: number }; to: { x: number; y: number } }) {
  return <line class="aim" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
}

function inside(square: Square, view: BoardView): boolean {
  return square.charCodeAt(0) - 97 < view.width && Number(square.slice(1)) <= view.height;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, at) => at);
}
