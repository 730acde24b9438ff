// Stepping through a game on the board itself: by the wheel, and by a finger that swipes over it.

/** Of a wheel or a touchpad in pixels: a notch of most wheels is more, a slow finger less. */
const WHEEL_STEP = 60;
const LINE = 33;
/** Milliseconds after which a wheel begins anew. */
const WHEEL_REST = 300;
/** A swipe in pixels, and how much flatter than steep it is. */
const SWIPE = 40;
const FLAT = 2;

/** Sums up what a wheel turns. */
export class Wheel {
  private turned = 0;
  private last = 0;

  /** 1 a step forwards, -1 one back, 0 not yet one. */
  turn({ deltaY, deltaMode, timeStamp }: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'timeStamp'>): -1 | 0 | 1 {
    if (timeStamp - this.last > WHEEL_REST || Math.sign(deltaY) !== Math.sign(this.turned)) this.turned = 0;
    this.last = timeStamp;
    this.turned += deltaMode === 0 ? deltaY : deltaY * LINE;
    if (Math.abs(this.turned) < WHEEL_STEP) return 0;
    this.turned = 0;
    return deltaY > 0 ? 1 : -1;
  }
}

/** As pages are turned: to the left is a step forwards. 0 is no swipe. */
export function swiped(right: number, down: number): -1 | 0 | 1 {
  if (Math.abs(right) < SWIPE || Math.abs(right) < FLAT * Math.abs(down)) return 0;
  return right < 0 ? 1 : -1;
}
