// All courses, in the order of the page.
import { amazons } from './amazons';
import { damone, damoneRelatives } from './damone';
import { desdemona, relatives } from './desdemona';
import type { Course, Lesson } from './lesson';

export const courses: readonly Course[] = [amazons, desdemona, relatives, damone, damoneRelatives];

export function lessonOf(id: string): { course: Course; lesson: Lesson; index: number } | null {
  for (const course of courses) {
    const index = course.lessons.findIndex((lesson) => lesson.id === id);
    if (index >= 0) return { course, lesson: course.lessons[index]!, index };
  }
  return null;
}
