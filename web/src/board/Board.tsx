// The board: an SVG that people would print, and an ARIA grid of squares.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Game } from '../games';
import { say } from '../live';
import { phrase } from '../messages';
import { squareLabel } from '../names';
import type { Side } from '../protocol';
import type { BoardView, Square } from '../squares';
import { ArrowsLayer } from './ArrowsLayer';
import { type CellKind, Cells } from './Cells';
import type { TurnEntry } from './entry';
import { Figures } from './Figures';
import { Chosen, Coordinates, Ground, LastTurn, protectedSquares } from './Ground';
import { centre, frameOf, isInside } from './geometry';
import { halfTurn } from './half';
import { type BoardNow, PointerInput } from './input';
import { leadsTo, nextOf } from './keys';
import { type BoardArrow, ownArrow, type SquareLabel, type SquareMark } from './layers';
import { MarksLayer } from './MarksLayer';
import { Piece } from './pieces';
import { Wheel } from './steps';

export { centre, UNIT } from './geometry';

export interface BoardProps {
  rules: Game;
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
  /** A square was clicked that begins no turn and goes on with none. */
  onIdle?: (() => void) | undefined;
  /** A square was meant by the right button, a long press or the menu key, or drawn from one to another. */
  onMark?: ((from: Square, to: Square) => void) | undefined;
  /** Whatever is pressed marks and draws, and enters no turn. */
  draws?: boolean | undefined;
  /** The turns that are entered are not of the side to move: they wait. */
  ahead?: boolean | undefined;
  /** The wheel was turned, or a finger has swiped: 1 forwards, -1 back. */
  onStep?: ((by: -1 | 1) => void) | undefined;
}

export function Board(props: BoardProps) {
  const { view, bottom, rules, entry, last = [], marks = [] } = props;
  const svg = useRef<SVGSVGElement>(null);
  const { onIdle, onMark, onStep, draws = false } = props;
  const now = useRef<BoardNow>({ svg: null, view, bottom, entry, onIdle, onMark, draws, onStep });
  now.current = { svg: svg.current, view, bottom, entry, onIdle, onMark, draws, onStep };
  const input = useMemo(() => new PointerInput(() => ({ ...now.current, svg: svg.current })), []);
  useEffect(() => watchWheel(svg.current, () => now.current.onStep), []);
  useEffect(() => {
    const drawing = svg.current;
    drawing?.addEventListener('touchmove', input.keepsPage, { passive: false });
    return () => drawing?.removeEventListener('touchmove', input.keepsPage);
  }, [input]);
  const focused = useSignal<Square>('a1');
  /** Was the board reached by keyboard? Then the square with the focus is ringed, and arrows walk. To the browser any
      letter key is reason enough for a ring, a shortcut with the mouse in hand, too. */
  const ringed = useSignal(false);

  const path = entry?.path.value ?? [];
  const next: ReadonlySet<Square> = entry?.choices.value.next ?? new Set();
  // A turn that waits to be confirmed has its shot, too.
  const pieces = useMemo(() => halfTurn(view.pieces, rules.fires ? path.slice(0, 2) : path), [view, path]);
  const chosen = path.at(-1);
  const firing = path.length > 1 && rules.fires;
  const point = input.drag.value;

  const at = (square: Square) => centre(square, view, bottom);
  // A settled mark lies under the pieces; an estimate of a square with a piece keeps to its corner, above.
  const below = ({ square, settled }: SquareMark) => settled || !view.pieces.has(square);
  const files = range(view.width).map((file) => (bottom === 'white' ? file : view.width - 1 - file));
  const ranks = range(view.height).map((rank) => (bottom === 'white' ? view.height - 1 - rank : rank));
  const focusedIn = (board: BoardView): Square => (isInside(focused.value, board) ? focused.value : 'a1');
  const focus = focusedIn(view);
  const shown: BoardView = { ...view, pieces };

  const kept = new Map(protectedSquares(rules));
  const kind = (square: Square): CellKind => {
    if (!next.has(square)) return 'still';
    if (path.length === 0) return props.ahead ? 'ahead' : 'own';
    return firing ? 'fire' : 'move';
  };
  const label = (square: Square): string => {
    const parts = [squareLabel(square, shown, rules)];
    if (square === chosen) parts.push(phrase('board.chosen'));
    const now = kind(square);
    if (now !== 'still') parts.push(phrase(`board.${now}`));
    if (last.includes(square)) parts.push(phrase('board.inLastTurn'));
    const from = kept.get(square);
    if (from) parts.push(phrase(`board.kept.${from}`));
    return parts.join(', ');
  };
  const onMenu = (event: MouseEvent) => {
    if (!onMark) return;
    event.preventDefault();
    // The right button was heard already, as is a finger that draws; one that rests and the menu key mean a square.
    if (input.askedForMenu() || input.marking.peek()) return;
    const cell = event.target instanceof Element ? event.target.closest<SVGGElement>('.cell') : null;
    const square = cell?.dataset.square;
    if (square && path.length === 0) onMark(square, square);
  };
  const goTo = (square: Square) => {
    focused.value = square;
    svg.current?.querySelector<SVGGElement>(`.cell[data-square="${square}"]`)?.focus();
  };
  /** Chooses by keyboard, and says what comes next. */
  const choose = (square: Square) => {
    if (!entry) return;
    if (draws) {
      onMark?.(square, square);
      return;
    }
    entry.choose(square);
    const words = spokenPrompt(entry, rules);
    if (words) say(words);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.altKey) return;
    // Not the square at the last drawing: keys may come faster than the board is drawn.
    const focus = focusedIn(view);
    const walks = ringed.peek() || !onStep;
    const to = walks ? leadsTo(event, focus, view, bottom) : null;
    if (to !== null) {
      goTo(to);
    } else if (event.key === 'Enter' || event.key === ' ') {
      choose(focus);
    } else if (event.key === 'Escape' && entry?.undo()) {
      say(spokenPrompt(entry, rules) || phrase('board.nothingChosen'));
    } else if ((event.key === 'n' || event.key === 'N') && !event.ctrlKey && next.size > 0) {
      goTo(nextOf(next, focus, event.key === 'N', bottom) ?? focus);
    } else {
      return;
    }
    ringed.value = true;
    event.preventDefault();
    event.stopPropagation();
  };

  const coordinates = props.coordinates ?? true;
  const { left, top, width, height, scale } = frameOf(view, coordinates);
  const origin = path.length > 1 ? path[0] : undefined;
  const ghost = origin === undefined ? undefined : view.pieces.get(origin);
  const classes = ['board', !entry && 'fixed', ringed.value && 'ringed', point && 'dragging'];
  return (
    <svg
      ref={svg}
      class={classes.filter(Boolean).join(' ')}
      viewBox={`${left} ${top} ${width} ${height}`}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the drawing is the grid; every cell is in it
      role="grid"
      aria-label={props.label ?? phrase('board.label')}
      aria-rowcount={view.height}
      aria-colcount={view.width}
      onPointerDownCapture={() => (ringed.value = false)}
      onPointerDown={input.down}
      onPointerMove={input.move}
      onPointerUp={input.up}
      onPointerCancel={input.cancel}
      onKeyDown={onKeyDown}
      onContextMenu={onMenu}
    >
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group takes no focus */}
      <g aria-hidden="true">
        <Ground size={view} rules={rules} at={at} />
        {coordinates && <Coordinates files={files} ranks={ranks} scale={scale} />}
        <MarksLayer marks={marks.filter(below)} labels={[]} occupied={view.pieces} centre={at} />
        <LastTurn squares={last} rules={rules} at={at} />
        {path.slice(1, -1).map((square) => (
          <Chosen key={square} at={at(square)} />
        ))}
        {chosen !== undefined && <Chosen at={at(chosen)} />}
        {origin !== undefined && ghost !== undefined && (
          <g class="ghost" transform={`translate(${at(origin).x} ${at(origin).y})`}>
            <Piece letter={ghost} rules={rules} />
          </g>
        )}
        <Figures
          pieces={pieces}
          rules={rules}
          last={last}
          at={at}
          dragged={point && chosen !== undefined && !firing ? { square: chosen, point } : null}
          dropped={input.dropped}
          taken={new Set(entry?.choices.value.taken)}
        />
        {point && firing && chosen !== undefined && <Shot from={at(chosen)} to={point} />}
      </g>
      <MarksLayer
        marks={marks.filter((mark) => !below(mark))}
        labels={props.labels ?? []}
        occupied={view.pieces}
        centre={at}
      />
      <ArrowsLayer arrows={[...(props.arrows ?? []), ...drawing(input)]} centre={at} />
      <Cells
        files={files}
        ranks={ranks}
        at={at}
        label={label}
        kind={(square) => ((props.targets ?? true) || path.length === 0 ? kind(square) : 'still')}
        occupied={(square) => pieces.has(square)}
        chosen={chosen}
        focus={focus}
        onFocus={(square, byKey) => {
          focused.value = square;
          ringed.value = byKey;
        }}
        onClick={choose}
      />
    </svg>
  );
}

/** The arrow or ring that is being drawn, if any. */
function drawing({ marking }: PointerInput): BoardArrow[] {
  return marking.value ? [ownArrow(marking.value.from, marking.value.to)] : [];
}

/** Here the wheel steps and does not scroll; not while it zooms. */
function watchWheel(svg: SVGSVGElement | null, onStep: () => BoardProps['onStep']): (() => void) | undefined {
  const wheel = new Wheel();
  const turn = (event: WheelEvent) => {
    const act = onStep();
    if (!act || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const by = wheel.turn(event);
    if (by !== 0) act(by);
  };
  // Only a listener that is not passive may keep the page from scrolling.
  svg?.addEventListener('wheel', turn, { passive: false });
  return () => svg?.removeEventListener('wheel', turn);
}

/** The way of a shot that is being drawn with the pointer. */
function Shot({ from, to }: { from: { x: number; y: number }; to: { x: number; y: number } }) {
  return <line class="shot-line" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
}

/** Words for the next choice, while a turn is being entered. */
export function prompt(entry: TurnEntry, rules: Game): string {
  const { length } = entry.path.peek();
  // A turn that only waits to be confirmed needs no words: a button asks for it.
  if (length === 0 || entry.unconfirmed.peek()) return '';
  if (length === 1) return phrase('board.prompt.move');
  if (entry.choices.peek().complete) return phrase('board.prompt.fireOrNot');
  return phrase(rules.fires ? 'board.prompt.fire' : 'board.prompt.jump');
}

function spokenPrompt(entry: TurnEntry, rules: Game): string {
  if (entry.unconfirmed.peek()) return phrase('board.prompt.enter');
  const words = prompt(entry, rules);
  return words && phrase('board.prompt.squares', { prompt: words, count: entry.choices.peek().next.size });
}

function range(length: number): number[] {
  return Array.from({ length }, (_, at) => at);
}
