// One lesson: its words, its board, what was right or wrong, and the way on.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Board } from '../board/Board';
import type { BoardArrow } from '../board/layers';
import { tab } from '../game/store';
import { gameOf } from '../games';
import type { TurnInfo } from '../protocol';
import { settings } from '../settings';
import { squaresOfTurn } from '../turns';
import { dialog } from '../ui/dialogs';
import { TurnText } from './LessonText';
import type { Course, Lesson } from './lesson';
import { following, open, preceding } from './progress';
import { LessonRun } from './run';

export function LessonView({ course, lesson, index }: { course: Course; lesson: Lesson; index: number }) {
  const run = useMemo(() => new LessonRun(lesson), [lesson]);
  useEffect(() => () => run.close(), [run]);
  const game = gameOf(lesson.variant);
  const step = run.current;
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
          {course.title} · {index + 1} of {course.lessons.length}
        </p>
        <h2 id="lesson-title">{lesson.title}</h2>
        <p>{lesson.text}</p>
        {!finished && (
          <p class="task">
            <strong>Your turn.</strong> {step.task}
          </p>
        )}
      </div>
      <div class={view && view.width <= 6 ? 'lesson-board small' : 'lesson-board'}>
        {view && (
          <Board
            rules={game}
            view={view}
            bottom="white"
            entry={run.entry}
            last={run.last.value.length > 0 ? run.last.value : undefined}
            arrows={arrows}
            coordinates={true}
            label={`Board of the lesson: ${lesson.title}`}
          />
        )}
      </div>
      <div class="lesson-task">
        {step.kind === 'question' && (
          <div class="answers" role="group" aria-label={step.task}>
            {step.answers.map((answer, at) => (
              <button
                key={answer}
                type="button"
                class={finished && at === step.correct ? 'answer correct' : 'answer'}
                disabled={finished || run.missed.value.has(at)}
                onClick={() => run.choose(at)}
              >
                {answer}
              </button>
            ))}
          </div>
        )}
        {settings.value.textMode && step.kind !== 'question' && <TurnText run={run} />}
        {verdict && (
          <p class={`verdict ${verdict.kind}`}>
            <span aria-hidden="true">{MARK[verdict.kind]}</span>
            {verdict.text}
          </p>
        )}
        <Buttons run={run} course={course} index={index} />
      </div>
    </article>
  );
}

const MARK = { right: '✓', wrong: '✗', note: '›' };

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
    <div class="lesson-buttons">
      {verdict?.kind === 'wrong' && (
        <button ref={focus} type="button" class="primary" onClick={() => run.again()}>
          Try again
        </button>
      )}
      {finished && next && !lastOfCourse && (
        <button ref={focus} type="button" class="primary" onClick={() => (open.value = next)}>
          Next lesson
        </button>
      )}
      {finished && lastOfCourse && (
        <button ref={focus} type="button" class="primary" onClick={playNow}>
          Play a game
        </button>
      )}
      {finished && next && lastOfCourse && (
        <button type="button" onClick={() => (open.value = next)}>
          Go on to the next game
        </button>
      )}
      {finished && (
        <button type="button" onClick={() => run.restart()}>
          Do it again
        </button>
      )}
      {!finished && run.current.kind === 'turn' && verdict?.kind !== 'wrong' && (
        <button
          type="button"
          aria-pressed={run.hinted.value}
          onClick={() => {
            run.hinted.value = !run.hinted.peek();
          }}
        >
          Show me
        </button>
      )}
      {!finished && before && (
        <button type="button" class="plain" onClick={() => (open.value = before)}>
          Back
        </button>
      )}
      {!finished && next && (
        <button type="button" class="plain" onClick={() => (open.value = next)}>
          Skip
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
