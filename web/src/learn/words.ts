// The words of courses and lessons: messages that are named after them.
import { type PlainKey, phrase } from '../messages';
import type { Course, Lesson } from './lesson';

/** That there is a message for all that a lesson says, a test sees to. */
const named = (key: string) => phrase(key as PlainKey);

export function courseTitle({ id }: Course): string {
  return named(`course.${id}.title`);
}

/** A sentence on it. */
export function courseAbout({ id }: Course): string {
  return named(`course.${id}.about`);
}

export function lessonTitle({ id }: Lesson): string {
  return named(`lesson.${id}.title`);
}

/** The text of a lesson. Words of lessons are for a reader of twelve: two to four short sentences, one idea each. */
export function lessonText({ id }: Lesson): string {
  return named(`lesson.${id}.text`);
}

/** Of a step, from 0: what to do, in one sentence; what is said when it was done; why it was not what was asked for. */
export function stepWords({ id }: Lesson, step: number, part: 'task' | 'right' | 'wrong'): string {
  return named(`lesson.${id}.step${step + 1}.${part}`);
}

/** An answer to choose, from 0. */
export function answerWords({ id }: Lesson, step: number, answer: number): string {
  return named(`lesson.${id}.step${step + 1}.answer${answer + 1}`);
}
