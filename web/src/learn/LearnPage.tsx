// The page that teaches: one lesson open, below it the courses and their lessons.
import { phrase } from '../messages';
import { courses, lessonOf } from './courses';
import { LessonView } from './LessonView';
import './learn.css';
import { done, forgetProgress, open } from './progress';
import { courseAbout, courseTitle, lessonTitle } from './words';

export function LearnPage() {
  const at = lessonOf(open.value) ?? lessonOf(courses[0]!.lessons[0]!.id)!;
  return (
    <div class="learn">
      <h1 class="visually-hidden">{phrase('tab.learn')}</h1>
      <LessonView key={at.lesson.id} {...at} />
      <Contents />
    </div>
  );
}

function Contents() {
  const here = lessonOf(open.value)?.course;
  const all = courses.flatMap((course) => course.lessons).length;
  const count = courses
    .flatMap((course) => course.lessons)
    .filter((lesson) => done.value.has(lesson.id)).length;
  return (
    <nav class="learn-contents" aria-label={phrase('learn.lessons')}>
      {courses.map((course) => {
        const finished = course.lessons.filter((lesson) => done.value.has(lesson.id)).length;
        return (
          <details key={course.id} name="course" open={course === here}>
            <summary>
              <span>{courseTitle(course)}</span>
              <span class="count">
                {finished}/{course.lessons.length}
                <span class="visually-hidden"> {phrase('learn.ofCourse')}</span>
              </span>
            </summary>
            <p class="about">{courseAbout(course)}</p>
            <ol>
              {course.lessons.map((lesson) => (
                <li key={lesson.id}>
                  <button
                    type="button"
                    aria-current={lesson.id === open.value ? 'step' : undefined}
                    onClick={() => (open.value = lesson.id)}
                  >
                    <span class="tick" aria-hidden="true">
                      {done.value.has(lesson.id) ? '✓' : ''}
                    </span>
                    {lessonTitle(lesson)}
                    {done.value.has(lesson.id) && (
                      <span class="visually-hidden">{phrase('learn.isDone')}</span>
                    )}
                  </button>
                </li>
              ))}
            </ol>
          </details>
        );
      })}
      <p class="learn-progress">
        {phrase('learn.progress', { done: count, total: all })}{' '}
        {count > 0 && (
          <button type="button" class="plain small" onClick={forgetProgress}>
            {phrase('learn.forget')}
          </button>
        )}
      </p>
    </nav>
  );
}
