// One lesson: its words, its board, what was right or wrong, and the way on.

import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Board } from '../board/Board';
import type { BoardArrow } from '../board/layers';
import { tab } from '../game/store';
import { gameOf } from '../games';
import { phrase } from '../messages';
import type { TurnInfo } from '../protocol';
import { settings } from '../settings';
import { squaresOfTurn } from '../turns';
import { dialog } from '../ui/dialogs';
import { TurnText, VerdictLine } from './LessonText';
import type { Course, Lesson } from './lesson';
import { following, open, preceding } from './progress';
import { LessonRun } from './run';
import { answerWords, courseTitle, lessonText, lessonTitle, stepWords } from './words';

export function LessonView({ course, lesson, index }: { course: Course; lesson: Lesson; index: number }) {
  const run = useMemo(() => new LessonRun(lesson), [lesson]);
  useEffect(() => () => run.close(), [run]);
  const game = gameOf(lesson.variant);
  const step = run.current;
  const task = stepWords(lesson, run.step.value, 'task');
  const view = run.view.value;
  const verdict = run.verdict.value;
  const finished = run.finished.value;
  const arrows: BoardArrow[] = [];
  if (run.hinted.value && step.kind === 'turn' && !finished && verdict?.kind !== 'wrong') {
    const solution = run.turns.value?.of(step.solution);
    if (solution) {
      const turn: TurnInfo = step.moveOnly ? { path: solution.path } : solution;
      const fires = turn.fire !== undefined;
      arrows.push({ squares: squaresOfTurn(turn), fires, weight: 1, label: '', kind: 'hint' });
    }
  }
  return (
    <article class="lesson" aria-labelledby="lesson-title">
      <div class="lesson-words">
        <p class="lesson-place">
          {phrase('learn.place', {
            course: courseTitle(course),
            number: index + 1,
            total: course.lessons.length,
          })}
        </p>
        <h2 id="lesson-title">{lessonTitle(lesson)}</h2>
        <p>{lessonText(lesson)}</p>
        {!finished && (
          <p class="task">
            <strong>{phrase('learn.yourTurn')}</strong> {task}
          </p>
        )}
      </div>
      <div class="lesson-board">
        {view && (
          <Board
            rules={game}
            view={view}
            bottom="white"
            entry={run.entry}
            last={run.last.value.length > 0 ? run.last.value : undefined}
            arrows={arrows}
            coordinates={true}
            label={phrase('learn.board', { title: lessonTitle(lesson) })}
          />
        )}
      </div>
      <div class="lesson-task">
        {step.kind === 'question' && (
          <div class="answers buttons" role="group" aria-label={task}>
            {Array.from({ length: step.answers }, (_, at) => (
              <button
                key={at}
                type="button"
                class={finished && at === step.correct ? 'answer correct' : 'answer'}
                disabled={finished || run.missed.value.has(at)}
                onClick={() => run.choose(at)}
              >
                {answerWords(lesson, run.step.value, at)}
              </button>
            ))}
          </div>
        )}
        {settings.value.textMode && step.kind !== 'question' && <TurnText run={run} />}
        <VerdictLine run={run} />
        <Buttons run={run} course={course} index={index} />
      </div>
    </article>
  );
}

function Buttons({ run, course, index }: { run: LessonRun; course: Course; index: number }) {
  const { lesson } = run;
  const next = following(lesson.id);
  const before = preceding(lesson.id);
  const verdict = run.verdict.value;
  const finished = run.finished.value;
  const lastOfCourse = index === course.lessons.length - 1;
  const focus = useRef<HTMLButtonElement>(null);
  // Whoever plays by keyboard goes on with Enter.
  const waiting = finished || verdict?.kind === 'wrong';
  // Before anybody sees the button: a key pressed at once must not be lost.
  useLayoutEffect(() => {
    if (waiting) focus.current?.focus({ preventScroll: true });
  }, [waiting]);
  return (
    <div class="buttons">
      {verdict?.kind === 'wrong' && (
        <button ref={focus} type="button" class="primary" onClick={() => run.again()}>
          {phrase('learn.again')}
        </button>
      )}
      {finished && next && !lastOfCourse && (
        <button ref={focus} type="button" class="primary" onClick={() => (open.value = next)}>
          {phrase('learn.next')}
        </button>
      )}
      {finished && lastOfCourse && (
        <button ref={focus} type="button" class="primary" onClick={playNow}>
          {phrase('learn.play')}
        </button>
      )}
      {finished && next && lastOfCourse && (
        <button type="button" onClick={() => (open.value = next)}>
          {phrase('learn.nextCourse')}
        </button>
      )}
      {finished && (
        <button type="button" onClick={() => run.restart()}>
          {phrase('learn.repeat')}
        </button>
      )}
      {!finished && run.current.kind === 'turn' && verdict?.kind !== 'wrong' && (
        <button
          type="button"
          aria-pressed={run.hinted.value}
          onClick={() => (run.hinted.value = !run.hinted.peek())}
        >
          {phrase('learn.show')}
        </button>
      )}
      {!finished && before && (
        <button type="button" class="plain" onClick={() => (open.value = before)}>
          {phrase('learn.back')}
        </button>
      )}
      {!finished && next && (
        <button type="button" class="plain" onClick={() => (open.value = next)}>
          {phrase('learn.skip')}
        </button>
      )}
    </div>
  );
}

/** To the board, with the question what to play. */
function playNow(): void {
  tab.value = 'play';
  dialog.value = 'new';
}
