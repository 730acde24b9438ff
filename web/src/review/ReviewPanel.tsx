// The side panel of the tab Review.

import { GraphWithLegend } from '../analysis/Graph';
import { MoveList } from '../game/MoveList';
import { game, match, positions } from '../game/store';
import { phrase } from '../messages';
import { MistakeCard } from './MistakeCard';
import { MistakeList } from './MistakeList';
import { judged, NODES, progress, reviewed, startReview, stopReview, trouble } from './review';
import { SummaryTable } from './SummaryTable';
import { trial } from './trial';

export function ReviewPanel() {
  const review = judged.value;
  const played = positions.value.length > 1;
  return (
    <section class="panel review" aria-label={phrase('tab.review')}>
      {trial.value && <MistakeCard />}
      <header class={played ? 'visually-hidden' : 'verdict'}>
        <h2>{phrase('tab.review')}</h2>
        {!played && <p>{phrase('review.none')}</p>}
      </header>
      {played && <Start />}
      {review && (
        <>
          <GraphWithLegend />
          <SummaryTable of={review} />
          <MistakeList />
        </>
      )}
      {played && <MoveList edit />}
    </section>
  );
}

function Start() {
  const now = progress.value;
  const total = positions.value.length;
  const quick = reviewed('quick');
  const deep = reviewed('deep');
  // Proven positions need no deep search: they do not tell whether one was begun.
  const begun = positions.value.some(({ review }) => review !== null && review.nodes >= NODES.deep);
  if (now) {
    return (
      <div class="review-start">
        <label class="progress">
          <span>
            {phrase(now.care === 'deep' ? 'review.deepRunning' : 'review.quickRunning', {
              done: now.done,
              total: now.total,
            })}
          </span>
          <progress max={now.total} value={now.done} />
        </label>
        <button type="button" onClick={stopReview}>
          {phrase('analysis.stop')}
        </button>
      </div>
    );
  }
  const running = match.value.ending === null && positions.value.at(-1)?.outcome === null;
  return (
    <div class="review-start">
      <div class="controls">
        {quick < total && (
          <button type="button" class="primary" onClick={() => void startReview('quick')}>
            {phrase(quick > 0 ? 'review.goOn' : 'review.start')}
          </button>
        )}
        {deep < total && (
          <button type="button" onClick={() => void startReview('deep')}>
            {begun ? phrase('review.deepOn', { done: deep, total }) : phrase('review.deep')}
          </button>
        )}
      </div>
      {quick === 0 && (
        <p class="quiet">
          {phrase('review.how')} {running && phrase('review.notOver')}
        </p>
      )}
      {quick === total && (
        <p class="quiet">
          {phrase('review.searched', {
            count: total,
            game: game.value.title,
            nodes: deep === total ? NODES.deep : NODES.quick,
          })}
        </p>
      )}
      {trouble.value && (
        <p class="problem" role="alert">
          {trouble.value}
        </p>
      )}
    </div>
  );
}
