// The problem of the day: the same for everybody on that date, and for how many days in a row it was found.
import { computed, signal } from '@preact/signals';
import { keptSignal } from '../storage';
import { type Problem, suite } from './suite';

/** In place of a problem's id: that of today, whichever it is. */
export const DAILY = 'daily';

const KEY = 'daily';
/** Problems in a row are of different groups and grades, and all come before one comes again. */
const STEP = 379;
const DAY = 86_400_000;

/** Days since 1970 by the calendar on the wall. */
function dayOf(date: Date): number {
  return Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY);
}

/** `null` if there are no problems. */
export function problemOn(day: number, problems: readonly Problem[]): Problem | null {
  return problems[(day * STEP) % problems.length] ?? null;
}

export const today = signal(dayOf(new Date()));

/** Call where the page is looked at anew: it may be open for days. */
export function lookAtDate(): void {
  today.value = dayOf(new Date());
}

export const daily = computed<Problem | null>(() =>
  problemOn(
    today.value,
    (suite.content.value ?? []).flatMap(({ problems }) => problems),
  ),
);

interface Streak {
  /** The last day on which the problem of the day was found. */
  last: number;
  days: number;
}

function read(value: unknown): Streak {
  const { last, days } = value as Streak;
  if (!Number.isInteger(last) || !Number.isInteger(days)) throw new Error('no days');
  return { last, days };
}

const streak = keptSignal<Streak>(KEY, read, { last: 0, days: 0 });

export const foundToday = computed(() => streak.value.last === today.value);

/** Days in a row, up to today or yesterday. */
export const daysInARow = computed(() => (streak.value.last >= today.value - 1 ? streak.value.days : 0));

/** A problem was found. */
export function countDay({ id }: Problem): void {
  if (id !== daily.peek()?.id || foundToday.peek()) return;
  streak.value = { last: today.peek(), days: daysInARow.peek() + 1 };
}
