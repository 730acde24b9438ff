// Which problems were solved, and what was open last: kept in the browser.
import { computed, effect, signal } from '@preact/signals';
import { follow, load, store } from '../storage';
import { DAILY, daily, lookAtDate } from './daily';
import { own, ownGroup } from './own';
import {
  type BandId,
  bandOf,
  bands,
  type Group,
  groupOf,
  type Problem,
  suite,
  type ThemeId,
  themes,
} from './suite';

interface Saved {
  /** Found without a look at the solution. */
  solved: string[];
  last: string;
  band: BandId | 'all';
  theme: ThemeId | 'all';
}

const KEY = 'problems';

function read(value: unknown): Saved {
  const { solved, last, band, theme } = value as Partial<Saved>;
  if (!Array.isArray(solved)) throw new Error('no list of problems');
  return {
    solved: solved.filter((id): id is string => typeof id === 'string'),
    last: typeof last === 'string' ? last : '',
    band: bands.find(({ id }) => id === band)?.id ?? 'all',
    theme: themes.find((id) => id === theme) ?? 'all',
  };
}

const saved = load(KEY, read);

export const solved = signal<ReadonlySet<string>>(new Set(saved?.solved ?? []));
/** The id of the problem that is open, or `DAILY`; it may be that of none. */
export const open = signal(saved?.last ?? '');
const openId = computed(() => (open.value === DAILY ? (daily.value?.id ?? '') : open.value));
export const band = signal<BandId | 'all'>(saved?.band ?? 'all');

export const theme = signal<ThemeId | 'all'>(saved?.theme ?? 'all');

effect(() =>
  store(KEY, {
    solved: [...solved.value],
    last: open.value,
    band: band.value,
    theme: theme.value,
  } satisfies Saved),
);
follow(
  KEY,
  (value) => read(value).solved,
  () => [...solved.peek()],
  (told) => (solved.value = new Set(told)),
);

export function markSolved(id: string): void {
  if (!solved.peek().has(id)) solved.value = new Set([...solved.peek(), id]);
}

export function forgetSolved(): void {
  solved.value = new Set();
}

/** Forgets a problem from a mistake, or all of them: another may get its number. */
export function forgetOwn(gone: readonly Problem[]): void {
  own.value = own.peek().filter((problem) => !gone.includes(problem));
  solved.value = new Set([...solved.peek()].filter((id) => !gone.some((problem) => problem.id === id)));
}

/** The groups of the file, and that of somebody's own mistakes if there is one. */
export const groups = computed<readonly Group[]>(() => {
  const content = suite.content.value ?? [];
  return ownGroup.value ? [...content, ownGroup.value] : content;
});

/** The group that is open: that of the open problem, or the one with the quickest games. */
export const group = computed<Group | null>(() => {
  if (!suite.content.value) return null;
  const find = (wanted: string) => groups.value.find(({ id }) => id === wanted);
  return find(groupOf(openId.value)) ?? find('amazons6') ?? groups.value[0] ?? null;
});

/** Is a problem of the difficulty and the theme that were chosen? */
function fits(problem: Problem): boolean {
  if (problem.mistake) return true;
  const isOfTheme = theme.value === 'all' || problem.themes.includes(theme.value);
  return isOfTheme && (band.value === 'all' || bandOf(problem).id === band.value);
}

/** Those of a group that fit; all if none does. */
function choiceIn(problems: readonly Problem[]): readonly Problem[] {
  const fitting = problems.filter(fits);
  return fitting.length > 0 ? fitting : problems;
}

/** The problems to choose from, the easiest first. */
export const choice = computed(() => choiceIn(group.value?.problems ?? []));

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

/** Opens a problem, whatever difficulty and theme were chosen. */
export function openProblem(id: string): void {
  lookAtDate();
  open.value = id;
  const found = group.peek()?.problems.find((each) => each.id === openId.peek());
  if (!found || fits(found)) return;
  band.value = 'all';
  theme.value = 'all';
}

// A problem that an address names is opened before the file of problems is read, and again afterwards.
suite.content.subscribe(() => openProblem(open.peek()));

/** Opens the first problem of a group that is not solved yet. */
export function openGroup(id: string): void {
  const problems = groups.peek().find((group) => group.id === id)?.problems ?? [];
  const among = choiceIn(problems);
  open.value = (among.find((problem) => !solved.peek().has(problem.id)) ?? among[0])?.id ?? '';
}
