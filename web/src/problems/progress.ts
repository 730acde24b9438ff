// Which problems were solved, and what was open last: kept in the browser.
import { computed, effect, signal } from '@preact/signals';
import { load, store } from '../storage';
import { DAILY, daily, lookAtDate } from './daily';
import { type BandId, bandOf, bands, type Group, groupOf, type Problem, suite } from './suite';

interface Saved {
  /** Found without a look at the solution. */
  solved: string[];
  last: string;
  band: BandId | 'all';
}

const KEY = 'problems';

const saved = load<Saved>(KEY, (value) => {
  const { solved, last, band } = value as Partial<Saved>;
  if (!Array.isArray(solved)) throw new Error('no list of problems');
  return {
    solved: solved.filter((id): id is string => typeof id === 'string'),
    last: typeof last === 'string' ? last : '',
    band: bands.find(({ id }) => id === band)?.id ?? 'all',
  };
});

export const solved = signal<ReadonlySet<string>>(new Set(saved?.solved ?? []));
/** The id of the problem that is open, or `DAILY`; it may be that of none. */
export const open = signal(saved?.last ?? '');
const openId = computed(() => (open.value === DAILY ? (daily.value?.id ?? '') : open.value));
export const band = signal<BandId | 'all'>(saved?.band ?? 'all');

effect(() => store(KEY, { solved: [...solved.value], last: open.value, band: band.value } satisfies Saved));

export function markSolved(id: string): void {
  if (!solved.peek().has(id)) solved.value = new Set([...solved.peek(), id]);
}

export function forgetSolved(): void {
  solved.value = new Set();
}

/** The group that is open: that of the open problem, or the one with the quickest games. */
export const group = computed<Group | null>(() => {
  const groups = suite.value;
  if (!groups) return null;
  const find = (wanted: string) => groups.find(({ id }) => id === wanted);
  return find(groupOf(openId.value)) ?? find('amazons6') ?? groups[0] ?? null;
});

/** The problems to choose from, the easiest first. */
export const choice = computed<readonly Problem[]>(() => {
  const problems = group.value?.problems ?? [];
  const fitting = problems.filter((problem) => band.value === 'all' || bandOf(problem).id === band.value);
  return fitting.length > 0 ? fitting : problems;
});

export const problem = computed<Problem | null>(() => {
  const problems = choice.value;
  return problems.find(({ id }) => id === openId.value) ?? problems[0] ?? null;
});

/** The next problem that is not solved yet, from the open one on and round; `null` if there is none. */
export function next(): Problem | null {
  const problems = choice.peek();
  const at = problems.findIndex(({ id }) => id === problem.peek()?.id);
  const round = [...problems.slice(at + 1), ...problems.slice(0, Math.max(at, 0))];
  return round.find(({ id }) => !solved.peek().has(id)) ?? round[0] ?? null;
}

/** Opens a problem, whatever difficulty was chosen. */
export function openProblem(id: string): void {
  lookAtDate();
  open.value = id;
  const found = group.peek()?.problems.find((each) => each.id === openId.peek());
  if (found && band.peek() !== 'all' && bandOf(found).id !== band.peek()) band.value = 'all';
}

// What an address names is opened before the file of problems is read.
suite.subscribe(() => openProblem(open.peek()));

/** Opens the first problem of a group that is not solved yet. */
export function openGroup(id: string): void {
  const problems = suite.peek()?.find((group) => group.id === id)?.problems ?? [];
  const fitting = problems.filter((problem) => band.peek() === 'all' || bandOf(problem).id === band.peek());
  const among = fitting.length > 0 ? fitting : problems;
  open.value = (among.find((problem) => !solved.peek().has(problem.id)) ?? among[0])?.id ?? '';
}
