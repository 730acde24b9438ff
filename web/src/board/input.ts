// Mouse, finger and pen: a click chooses a square; a drag goes from the piece to where it shall go, and from the
// amazon that has moved to where it fires.
import { signal } from '@preact/signals';
import type { BoardView, Square } from '../fen';
import type { Side } from '../protocol';
import type { TurnEntry } from './entry';
import { type Point, squareAt } from './geometry';

/** Pixels that a finger may slip while it means a click. */
const SLIP = 6;

export interface BoardNow {
  svg: SVGSVGElement | null;
  view: BoardView;
  bottom: Side;
  entry: TurnEntry | undefined;
}

interface Press {
  square: Square;
  x: number;
  y: number;
  /** What letting go at the same place does. */
  onClick: 'choose' | 'undo' | 'nothing';
}

export class PointerInput {
  /** Where the dragged piece is, in units of the drawing. */
  readonly drag = signal<Point | null>(null);
  private press: Press | null = null;

  constructor(private readonly now: () => BoardNow) {}

  readonly down = (event: PointerEvent): void => {
    const { entry, svg } = this.now();
    if (!entry || !event.isPrimary || event.button !== 0) return;
    const square = this.square(event);
    if (!square) {
      entry.clear();
      return;
    }
    const path = entry.path.peek();
    const { next } = entry.choices.peek();
    let onClick: Press['onClick'] = 'nothing';
    if (path.length > 0 && next.has(square)) onClick = 'choose';
    else if (path.length > 0 && square === path.at(-1)) onClick = 'undo';
    else entry.choose(square);
    this.press = { square, x: event.clientX, y: event.clientY, onClick };
    svg?.setPointerCapture(event.pointerId);
  };

  readonly move = (event: PointerEvent): void => {
    const { press } = this;
    const { entry } = this.now();
    if (!press || !entry || !event.isPrimary) return;
    if (press.square !== entry.path.peek().at(-1)) return;
    if (!this.drag.peek() && Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLIP) return;
    this.drag.value = this.point(event);
  };

  readonly up = (event: PointerEvent): void => {
    const { press } = this;
    const { entry } = this.now();
    if (!press || !entry || !event.isPrimary) return;
    const dragged = this.drag.peek() !== null;
    this.cancel();
    const square = this.square(event);
    if (dragged) {
      if (square && entry.choices.peek().next.has(square)) entry.choose(square);
    } else if (square === press.square) {
      if (press.onClick === 'choose') entry.choose(square);
      else if (press.onClick === 'undo') entry.undo();
    }
  };

  readonly cancel = (): void => {
    this.press = null;
    this.drag.value = null;
  };

  private square(event: PointerEvent): Square | null {
    const { view, bottom } = this.now();
    const point = this.point(event);
    return point && squareAt(point, view, bottom);
  }

  private point(event: PointerEvent): Point | null {
    const matrix = this.now().svg?.getScreenCTM();
    if (!matrix) return null;
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  }
}
