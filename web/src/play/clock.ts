// Clocks of the game at its tip. They stand still before White's and Black's first turns, while the game is paused,
// away from the tab Play, while the engine is gone, and while the page is closed.
import { effect, signal } from '@preact/signals';
import { load, store } from '../game/storage';
import { type Ending, match, paused, revision, tab, touch } from '../game/store';
import type { ClockReading, GameNode } from '../game/tree';
import { session } from '../host';
import { other, type Side } from '../protocol';
import { toPlay } from './state';

const KEY = 'clock';
const TICK = 100;

/** Milliseconds left, or `null` without a clock. */
export const clocks = signal<ClockReading | null>(null);
export const running = signal<Side | null>(null);

/** What the side to play has used of this turn before `since`. */
let used = 0;
let since: number | null = null;
let node: GameNode | null = null;
let kept = 0;

const saved = load(KEY, (value) => value as { id: number; used: number });

function spent(): number {
  return used + (since === null ? 0 : performance.now() - since);
}

/** The reading when the turn at this node began. */
function before(at: GameNode): ClockReading | null {
  const { control } = match.peek().setup;
  if (!control) return null;
  for (let step: GameNode | null = at; step; step = step.parent) if (step.clock) return step.clock;
  return { white: control.start, black: control.start };
}

function reading(): ClockReading | null {
  const { tip } = match.peek();
  const base = before(tip);
  const side = tip.toMove;
  if (!base || !side) return base;
  return { ...base, [side]: Math.max(0, base[side] - spent()) };
}

/** Called with the node that a turn has led to: writes down what its mover has left. */
export function punch(mover: Side, to: GameNode): void {
  const { control } = match.peek().setup;
  const base = clocks.peek();
  if (!control || !base) return;
  const started = to.ply > 2 ? control.increment : 0;
  to.clock = { ...base, [mover]: base[mover] + started };
}

function tick(): void {
  clocks.value = reading();
  const side = running.peek();
  const left = side && clocks.peek()?.[side];
  if (performance.now() - kept > 1000) {
    kept = performance.now();
    store(KEY, { id: match.peek().tip.id, used: spent() });
  }
  if (side && left === 0) {
    match.peek().ending = { winner: other(side), reason: 'time' } satisfies Ending;
    touch();
  }
}

export function startClocks(): void {
  effect(() => {
    revision.value;
    const { tip, setup } = match.value;
    const runs =
      setup.control !== null &&
      toPlay.value !== null &&
      !paused.value &&
      tab.value === 'play' &&
      session.state.value === 'ready' &&
      tip.ply >= 2;
    if (tip !== node) {
      used = node === null && saved?.id === tip.id ? saved.used : 0;
      since = null;
      node = tip;
    }
    if (runs && since === null) since = performance.now();
    if (!runs && since !== null) {
      used = spent();
      since = null;
    }
    running.value = runs ? toPlay.value : null;
    clocks.value = reading();
  });
  effect(() => {
    if (running.value === null) return;
    const timer = setInterval(tick, TICK);
    return () => clearInterval(timer);
  });
}

/** `4:05`, and tenths below ten seconds. */
export function showTime(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
