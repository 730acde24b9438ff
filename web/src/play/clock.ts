// Both clocks. What is left after each turn is written into the tree, so taking back a turn gives its time back, too.
// Here is only how long the running turn takes. Time stands still while the game is paused, while the engine is away
// and while the page is closed; a reload goes on where it was.

import { computed, effect, signal, untracked } from '@preact/signals';
import { isGoingOn, match, paused, revision, touch } from '../game/store';
import { type ClockReading, type GameNode, turnsTo } from '../game/tree';
import { session } from '../host';
import { number, phrase } from '../messages';
import { type ClockFields, other, type Side } from '../protocol';
import { keep, recall } from '../storage';
import { filling } from './decided';

const KEY = 'clock';
/** Milliseconds between two looks at the clock. */
const TICK = 100;
/** Milliseconds between two times at which the running turn's time is kept. */
const KEEP = 1000;

interface Running {
  /** Set while the clock runs: when it began to. */
  since: number | null;
  /** Milliseconds of this turn before that. */
  spent: number;
}

let node: GameNode = match.peek().tip;
let running: Running = { since: null, spent: recallSpent() };
let timer: ReturnType<typeof setInterval> | undefined;
let lastKept = 0;

/** Rises while a clock runs. */
const ticks = signal(0);
const ticking = signal(false);

/** The side whose clock runs. */
export const runningSide = computed<Side | null>(() => {
  revision.value;
  match.value;
  return ticking.value ? match.peek().tip.toMove : null;
});

/** The readings of both clocks, in milliseconds; `null` in a game without clocks. */
export const clocks = computed<ClockReading | null>(() => {
  ticks.value;
  ticking.value;
  revision.value;
  const { setup, tip } = match.value;
  if (!setup.control) return null;
  const { white, black } = tip.clock ?? { white: setup.control.start, black: setup.control.start };
  const used = spentNow();
  if (tip.toMove === 'black') return { white, black: Math.max(0, black - used) };
  return { white: Math.max(0, white - used), black };
});

/** The clocks as the engine reads them. */
export function clockTimes(): ClockFields | undefined {
  const { control } = match.peek().setup;
  const now = clocks.peek();
  if (!control || !now) return undefined;
  const { increment } = control;
  // The page's own work and the way to the engine take a moment, too.
  const safe = (left: number) => Math.max(1, Math.round(left) - 50);
  return {
    white: safe(now.white),
    black: safe(now.black),
    whiteIncrement: increment,
    blackIncrement: increment,
  };
}

function spentNow(): number {
  return running.spent + (running.since === null ? 0 : performance.now() - running.since);
}

function hold(): void {
  running = { since: null, spent: spentNow() };
  clearInterval(timer);
  ticking.value = false;
}

function run(): void {
  running = { since: performance.now(), spent: running.spent };
  clearInterval(timer);
  timer = setInterval(tick, TICK);
  ticking.value = true;
}

function tick(): void {
  const { tip } = match.peek();
  ticks.value += 1;
  const now = clocks.peek();
  if (!now || !tip.toMove) return;
  if (performance.now() - lastKept > KEEP) keepSpent();
  if (now[tip.toMove] > 0) return;
  hold();
  match.peek().ending = { winner: other(tip.toMove), reason: 'time' };
  touch();
}

/** A turn was played at the end of the game: its time is taken off, the increment added. */
function enter(next: GameNode): void {
  const { control } = match.peek().setup;
  const mover = node.toMove;
  if (control && mover && next.parent === node) {
    const before = node.clock ?? { white: control.start, black: control.start };
    // The first turn of a game is free: who sits down second may not be there yet.
    const used = node.parent ? spentNow() : 0;
    next.clock = { ...before, [mover]: Math.max(0, before[mover] - used) + control.increment };
  }
  node = next;
  running = { since: running.since === null ? null : performance.now(), spent: 0 };
}

effect(() => {
  revision.value;
  const now = match.value;
  const held = paused.value || filling.value || session.state.value !== 'ready';
  untracked(() => {
    if (now.tip !== node) enter(now.tip);
    const { tip, setup } = now;
    const runs = setup.control && isGoingOn(now) && tip.toMove !== null && tip.parent !== null && !held;
    if (runs && running.since === null) run();
    else if (!runs && running.since !== null) hold();
  });
});

interface Kept {
  turns: string;
  spent: number;
}

function keepSpent(): void {
  lastKept = performance.now();
  keep(KEY, { turns: turnsTo(node).join(' '), spent: Math.round(spentNow()) } satisfies Kept);
}

function recallSpent(): number {
  const kept = recall(KEY, (value) => value as Kept);
  const same = kept?.turns === turnsTo(match.peek().tip).join(' ');
  return same && typeof kept?.spent === 'number' && kept.spent > 0 ? kept.spent : 0;
}

if (typeof addEventListener === 'function') {
  addEventListener('pagehide', () => {
    if (match.peek().setup.control) keepSpent();
  });
}

/** `9:05`, in the last ten seconds `7.3`. */
export function showTime(milliseconds: number): string {
  if (milliseconds < 10_000) return number(Math.ceil(milliseconds / 100) / 10, 1);
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (count: number) => String(count).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** "4 minutes 20 seconds". */
export function timeWords(milliseconds: number): string {
  const all = Math.ceil(milliseconds / 1000);
  const [minutes, seconds] = [Math.floor(all / 60), all % 60];
  return [
    ...(minutes > 0 ? [phrase('play.minutes', { count: minutes })] : []),
    ...(seconds > 0 || minutes === 0 ? [phrase('play.seconds', { count: seconds })] : []),
  ].join(' ');
}
