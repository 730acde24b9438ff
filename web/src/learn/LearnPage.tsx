// The page that teaches: courses and their lessons at the side, one lesson open.
import { courses, lessonOf } from './courses';
import { LessonView } from './LessonView';
import './learn.css';
import { done, forgetProgress, open } from './progress';

export function LearnPage() {
  const at = lessonOf(open.value) ?? lessonOf(courses[0]!.lessons[0]!.id)!;
  return (
    <div class="learn">
      <Contents />
      <LessonView key={at.lesson.id} {...at} />
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
    <nav class="learn-contents" aria-label="Lessons">
      <h1>Learn</h1>
      {courses.map((course) => {
        const finished = course.lessons.filter((lesson) => done.value.has(lesson.id)).length;
        return (
          <details key={course.id} name="course" open={course === here}>
            <summary>
              <span>{course.title}</span>
              <span class="count">
                {finished}/{course.lessons.length}
                <span class="visually-hidden"> lessons done</span>
              </span>
            </summary>
            <p class="about">{course.about}</p>
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
                    {lesson.title}
                    {done.value.has(lesson.id) && <span class="visually-hidden">, done</span>}
                  </button>
                </li>
              ))}
            </ol>
          </details>
        );
      })}
      <p class="learn-progress">
        {count} of {all} lessons done.{' '}
        {count > 0 && (
          <button type="button" class="plain small" onClick={forgetProgress}>
            Start over
          </button>
        )}
      </p>
    </nav>
  );
}
