// The side panel of the tab Review.
import { GraphWithLegend } from '../analysis/Graph';
import { MoveList } from '../game/MoveList';
import { game, match, positions } from '../game/store';
import { MistakeCard } from './MistakeCard';
import { MistakeList } from './MistakeList';
import { judged, NODES, progress, reviewed, startReview, stopReview, trouble } from './review';
import { SummaryTable } from './SummaryTable';
import { trial } from './trial';

export function ReviewPanel() {
  const review = judged.value;
  const played = positions.value.length > 1;
  return (
    <section class="panel review" aria-label="Review">
      {trial.value && <MistakeCard />}
      <header class="verdict">
        <h2>Review</h2>
        {!played && (
          <p>No turn was played yet. A review looks at a game, finished or not, and finds its mistakes.</p>
        )}
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
  // What is proven needs no deep search: it says nothing of whether one was begun.
  const begun = positions.value.some(({ review }) => review !== null && review.nodes >= NODES.deep);
  if (now) {
    return (
      <div class="review-start">
        <label class="progress">
          <span>
            {now.care === 'deep' ? 'Deep' : 'Quick'} review: {now.done} of {now.total} positions
          </span>
          <progress max={now.total} value={now.done} />
        </label>
        <button type="button" onClick={stopReview}>
          Stop
        </button>
      </div>
    );
  }
  const running = match.value.ending === null && positions.value.at(-1)?.outcome === null;
  return (
    <div class="review-start">
      {quick === 0 && (
        <p class="quiet">
          Every position is searched, and every turn is judged by the win rate that it lost against the best
          one.
          {running && ' The game is not over yet: the review shows what the engine thinks of it.'}
        </p>
      )}
      <div class="controls">
        {quick < total && (
          <button type="button" class="primary" onClick={() => void startReview('quick')}>
            {quick > 0 ? 'Go on reviewing' : 'Review the game'}
          </button>
        )}
        {deep < total && (
          <button type="button" onClick={() => void startReview('deep')}>
            {begun ? `Go on with the deep review (${deep} of ${total})` : 'Review deeply'}
          </button>
        )}
      </div>
      {quick === total && (
        <p class="quiet">
          All {total} positions of this game of {game.value.title} were searched
          {deep === total ? `, ${NODES.deep.toLocaleString('en')}` : `, ${NODES.quick.toLocaleString('en')}`}{' '}
          nodes each.
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
