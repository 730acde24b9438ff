// Mouse, finger and pen. A click chooses a square. A drag goes from the piece to where it shall go, and from the amazon
// that has moved to where it fires; clicks and drags may be mixed within a turn.
import { signal } from '@preact/signals';
import type { Side } from '../protocol';
import type { BoardView, Square } from '../squares';
import type { TurnEntry } from './entry';
import { type Point, squareAt } from './geometry';
import { swiped } from './steps';

/** Pixels that a finger may slip while it means a click. */
const SLIP = { mouse: 5, other: 12 };

/** The number of the right button. */
const RIGHT = 2;

export interface BoardNow {
  svg: SVGSVGElement | null;
  view: BoardView;
  bottom: Side;
  entry: TurnEntry | undefined;
  /** A square was clicked that begins no turn and goes on with none. */
  onIdle: (() => void) | undefined;
  /** A square was meant by the right button, or drawn from one to another. */
  onMark: ((from: Square, to: Square) => void) | undefined;
  /** Whatever is pressed draws, as the right button does. */
  draws: boolean;
  /** A finger has swiped over the board, away from what it might drag. */
  onStep: ((by: -1 | 1) => void) | undefined;
}

interface Press {
  square: Square;
  x: number;
  y: number;
  slip: number;
  /** It may become a swipe. */
  touch: boolean;
  /** The effect of letting go on the square that was pressed. */
  onClick: 'choose' | 'undo' | 'nothing';
}

export class PointerInput {
  /** Where the pointer drags to, in units of the drawing. */
  readonly drag = signal<Point | null>(null);
  /** The arrow or ring that is being drawn, and the number of the button that draws it. */
  readonly marking = signal<{ from: Square; to: Square; button: number } | null>(null);
  /** The square where a piece was let go last: it need not glide there. */
  dropped: Square | null = null;
  private press: Press | null = null;
  /** The last press was the right button's: the menu that it asks for comes now or, on some systems, when it is let go. */
  private right = false;

  constructor(private readonly now: () => BoardNow) {}

  readonly down = (event: PointerEvent): void => {
    const { entry, svg, onMark, draws } = this.now();
    this.dropped = null;
    this.right = event.button === RIGHT;
    if (!entry || !event.isPrimary) return;
    const square = this.square(event);
    if ((draws || event.button === RIGHT) && onMark && square) {
      this.marking.value = { from: square, to: square, button: event.button };
      svg?.setPointerCapture(event.pointerId);
    }
    if (draws || event.button !== 0) return;
    if (!square) {
      entry.clear();
      return;
    }
    const path = entry.path.peek();
    let onClick: Press['onClick'] = 'nothing';
    if (path.length > 0 && entry.choices.peek().next.has(square)) onClick = 'choose';
    else if (path.length > 0 && square === path.at(-1)) onClick = 'undo';
    else entry.choose(square);
    const touch = event.pointerType === 'touch';
    const slip = event.pointerType === 'mouse' ? SLIP.mouse : SLIP.other;
    this.press = { square, x: event.clientX, y: event.clientY, slip, touch, onClick };
    svg?.setPointerCapture(event.pointerId);
  };

  readonly move = (event: PointerEvent): void => {
    const { press } = this;
    const { entry } = this.now();
    const marking = this.marking.peek();
    if (marking) {
      const to = this.square(event) ?? marking.from;
      if (to !== marking.to) this.marking.value = { ...marking, to };
    }
    if (!press || !entry || !event.isPrimary) return;
    if (press.square !== entry.path.peek().at(-1)) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!this.drag.peek() && far < press.slip) return;
    this.drag.value = this.point(event);
  };

  readonly up = (event: PointerEvent): void => {
    const { press } = this;
    const { entry, onIdle, onMark, onStep } = this.now();
    const marking = this.marking.peek();
    if (marking?.button === event.button) {
      this.marking.value = null;
      onMark?.(marking.from, marking.to);
      return;
    }
    if (!press || !entry || !event.isPrimary) return;
    const dragged = this.drag.peek() !== null;
    const square = this.square(event);
    this.press = null;
    const isFree = press.touch && !dragged && entry.path.peek().length === 0;
    const by = isFree ? swiped(event.clientX - press.x, event.clientY - press.y) : 0;
    if (by !== 0) {
      onStep?.(by);
    } else if (dragged) {
      if (square && entry.choices.peek().next.has(square)) {
        this.dropped = square;
        entry.choose(square);
      }
    } else if (square === press.square) {
      if (press.onClick === 'choose') entry.choose(square);
      else if (press.onClick === 'undo') entry.end() || entry.undo();
      else if (entry.path.peek().length === 0) onIdle?.();
    }
    this.drag.value = null;
  };

  /** Whether the right button asks for a menu, of which not all browsers tell; asked once for each. */
  askedForMenu(): boolean {
    const asked = this.right;
    this.right = false;
    return asked;
  }

  /** A finger that draws, or begins on a piece and drags it, moves nothing else; elsewhere it scrolls the page. */
  readonly keepsPage = (event: TouchEvent): void => {
    const chosen = this.now().entry?.path.peek().at(-1);
    const drags = this.press !== null && this.press.square === chosen;
    if ((drags || this.marking.peek()) && event.cancelable) event.preventDefault();
  };

  readonly cancel = (): void => {
    this.press = null;
    this.drag.value = null;
    this.marking.value = null;
  };

  private square(event: PointerEvent): Square | null {
    const { view, bottom } = this.now();
    const point = this.point(event);
    return point && squareAt(point, view, bottom);
  }

  private point(event: PointerEvent): Point | null {
    const matrix = this.now().svg?.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x, y };
  }
}
