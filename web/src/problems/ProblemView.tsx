// One problem: its board, what was right or wrong, and the solution to step through.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Board } from '../board/Board';
import type { BoardArrow } from '../board/layers';
import { messageOf } from '../errors';
import { analyse } from '../formats/board';
import { ShortTurn } from '../game/ShortTurn';
import { article, points } from '../game/verdicts';
import { gameOf } from '../games';
import { TurnText, VerdictLine } from '../learn/LessonText';
import { phrase, phraseParts } from '../messages';
import { sideName } from '../names';
import { settings } from '../settings';
import { forgetOwn, group, next, open } from './progress';
import { change, changeWords, solvers } from './rating';
import { ProblemRun } from './run';
import { bandOf, bandTitle, type Problem } from './suite';

export function ProblemView({ problem }: { problem: Problem }) {
  const run = useMemo(() => new ProblemRun(problem), [problem]);
  useEffect(() => () => run.close(), [run]);
  const rules = gameOf(problem.variant);
  const view = run.view.value;
  const number = Number(problem.id.slice(problem.id.lastIndexOf('-') + 1));
  const side = sideName[problem.side];
  return (
    <article class="lesson" aria-labelledby="problem-title">
      <div class="lesson-words">
        <p class="lesson-place">
          {group.value?.title} · {placeOf(problem)}
        </p>
        <h2 id="problem-title">{phrase('problems.problem', { number })}</h2>
        <p class="task">
          <strong>{phrase('foot.toMove', { side })}</strong> <Task problem={problem} />
        </p>
      </div>
      <div class="lesson-board">
        {view && (
          <Board
            rules={rules}
            view={view}
            bottom={problem.side}
            entry={run.entry}
            last={run.last.value.length > 0 ? run.last.value : undefined}
            arrows={hintArrows(run)}
            coordinates={true}
            label={phrase('problems.board', { number })}
          />
        )}
      </div>
      <div class="lesson-task">
        {settings.value.textMode && <TurnText run={run} />}
        <VerdictLine run={run} />
        <RatingChange problem={problem} />
        <Buttons run={run} />
        {run.finished.value && problem.themes.length > 0 && (
          <p class="about">
            {phrase('theme.title')}: {problem.themes.map((id) => phrase(`theme.${id}`)).join(' · ')}
          </p>
        )}
        {run.finished.value && <Solution run={run} />}
      </div>
    </article>
  );
}

function Task({ problem: { variant, legal, mistake } }: { problem: Problem }) {
  if (!mistake)
    return phrase(gameOf(variant).draws ? 'problems.winsOrDraws' : 'problems.wins', { count: legal });
  const turn = <ShortTurn key="turn" turn={mistake.turn} />;
  return phraseParts('mine.task', { turn, what: article(mistake.kind), loss: points(mistake.loss) });
}

/** The piece, then its way. Only while the turn is looked for. */
function hintArrows(run: ProblemRun): BoardArrow[] {
  const squares = run.hinted.value;
  if (!squares || run.finished.value || run.missed.value) return [];
  return [{ squares: [...squares], fires: false, weight: 1, label: '', kind: 'hint' }];
}

/** The change of the solver's rating by this problem. */
function RatingChange({ problem: { id, variant } }: { problem: Problem }) {
  const solver = solvers.value[variant];
  const { value } = change;
  if (!solver || value?.id !== id) return null;
  return <p class="rating-change">{changeWords(solver.rating, value.by)}</p>;
}

function placeOf(problem: Problem): string {
  const { elo, variant, mistake } = problem;
  if (mistake) return gameOf(variant).title;
  const grade = elo === null ? phrase('problems.beyond') : phrase('problems.rated', { rating: String(elo) });
  return `${bandTitle(bandOf(problem).id)} · ${grade}`;
}

function Buttons({ run }: { run: ProblemRun }) {
  const focus = useRef<HTMLButtonElement>(null);
  const finished = run.finished.value;
  const missed = run.missed.value;
  const following = next();
  // Whoever plays by keyboard goes on with Enter.
  // Before anybody sees the button: a key pressed at once must not be lost.
  useLayoutEffect(() => {
    if (finished || missed) focus.current?.focus({ preventScroll: true });
  }, [finished, missed]);
  return (
    <div class="buttons">
      {missed && (
        <button ref={focus} type="button" class="primary" onClick={() => run.again()}>
          {phrase('learn.again')}
        </button>
      )}
      {finished && following && (
        <button ref={focus} type="button" class="primary" onClick={() => (open.value = following.id)}>
          {phrase('problems.next')}
        </button>
      )}
      {!finished && !missed && (run.hinted.value?.length ?? 0) < 2 && (
        <button type="button" disabled={run.turns.value === null} onClick={() => run.hint()}>
          {phrase(run.hinted.value ? 'problems.anotherHint' : 'play.hint')}
        </button>
      )}
      {!finished && (
        <button type="button" onClick={() => void run.reveal()}>
          {phrase('problems.show')}
        </button>
      )}
      <AnalyseHere run={run} />
      {run.problem.mistake && (
        <button type="button" class="plain" onClick={() => forgetOwn([run.problem])}>
          {phrase('mine.remove')}
        </button>
      )}
      {!finished && following && (
        <button type="button" class="plain" onClick={() => (open.value = following.id)}>
          {phrase('learn.skip')}
        </button>
      )}
    </div>
  );
}

/** A button that takes the position on the board to the analysis. */
function AnalyseHere({ run }: { run: ProblemRun }) {
  const trouble = useSignal('');
  const { variant, fen } = run.problem;
  return (
    <button
      type="button"
      title={trouble.value}
      onClick={() => {
        analyse(variant, fen, run.played).catch((error: unknown) => {
          trouble.value = messageOf(error);
        });
      }}
    >
      {phrase('problems.analyse')}
    </button>
  );
}

function Solution({ run }: { run: ProblemRun }) {
  const only = run.rows.length === 1;
  return (
    <section class="problem-solution" aria-labelledby="solution-title">
      <h3 id="solution-title">{phrase('problems.solution')}</h3>
      <ol>
        {run.rows.map((row, index) => (
          <li key={row.path.join(' ')} style={{ '--depth': Math.max(0, row.depth - 1) }}>
            <button
              type="button"
              class="solution-row"
              aria-current={index === run.row.value ? 'step' : undefined}
              onClick={() => void run.show(index)}
            >
              {row.turns.length > 1 ? (
                <>
                  <span class="reply">
                    <ShortTurn turn={row.turns[0]!} />
                  </span>{' '}
                  <span class="answer-turn">
                    <ShortTurn turn={row.turns[1]!} />
                  </span>
                </>
              ) : (
                <span class="answer-turn">
                  <ShortTurn turn={row.turns[0]!} />
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
      <p class="about">
        {phrase(run.problem.mistake ? 'mine.line' : only ? 'problems.counting' : 'problems.rows')}
      </p>
    </section>
  );
}
