// Which lessons are done, and which one was open last: kept in the browser.
import { effect, signal } from '@preact/signals';
import { sizesOf, type VariantId } from '../games';
import { follow, load, store } from '../storage';
import { courses, lessonOf } from './courses';

interface Saved {
  done: string[];
  last: string;
}

const KEY = 'learn';
const first = courses[0]!.lessons[0]!.id;

function read(value: unknown): Saved {
  const { done, last } = value as Partial<Saved>;
  if (!Array.isArray(done)) throw new Error('no list of lessons');
  return {
    done: done.filter((id): id is string => typeof id === 'string'),
    last: typeof last === 'string' && lessonOf(last) ? last : first,
  };
}

const saved = load(KEY, read);
export const done = signal<ReadonlySet<string>>(new Set(saved?.done ?? []));
/** The id of the lesson that is open. */
export const open = signal(saved?.last ?? first);

effect(() => store(KEY, { done: [...done.value], last: open.value } satisfies Saved));
follow(
  KEY,
  (value) => read(value).done,
  () => [...done.peek()],
  (told) => (done.value = new Set(told)),
);

export function markDone(id: string): void {
  if (!done.peek().has(id)) done.value = new Set([...done.peek(), id]);
}

export function forgetProgress(): void {
  done.value = new Set();
}

/** The lesson after this one, in its course or the next. */
export function following(id: string): string | null {
  const all = courses.flatMap((course) => course.lessons.map((lesson) => lesson.id));
  return all[all.indexOf(id) + 1] ?? null;
}

export function preceding(id: string): string | null {
  const all = courses.flatMap((course) => course.lessons.map((lesson) => lesson.id));
  return all[all.indexOf(id) - 1] ?? null;
}

/** Opens the first lesson on this rule set that is not done yet; else the first of its course. */
export function teach(variant: VariantId): void {
  const about = (id: VariantId) => sizesOf(id)[0];
  const wanted = about(variant);
  const fitting = courses
    .flatMap((course) => course.lessons)
    .filter((lesson) => about(lesson.variant) === wanted);
  const next = fitting.find((lesson) => !done.peek().has(lesson.id)) ?? fitting[0];
  if (next) open.value = next.id;
}
