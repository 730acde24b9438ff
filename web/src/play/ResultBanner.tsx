// The end of a game: who won, why, and what one may do next.
import { current, go, isRecord, match, revision, tab } from '../game/store';
import { changeBy } from '../history/rating';
import { phrase } from '../messages';
import { changeWords } from '../problems/rating';
import { startReview } from '../review/review';
import { canPlayOn, playAgain, playFromHere, playOn } from './actions';
import { resultOf } from './result';

export function ResultBanner() {
  revision.value;
  const now = match.value;
  const result = resultOf(now);
  if (!result) return null;
  const change = changeBy(now);
  return (
    <div class={`result ${result.outcome}`} data-result={result.outcome}>
      <h3>{result.headline}</h3>
      <p>
        {result.reason} {change && changeWords(change.rating, change.by)}
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={reviewGame}>
          {phrase('play.review')}
        </button>
        {!isRecord(now) && (
          <button type="button" onClick={playAgain}>
            {phrase('play.again')}
          </button>
        )}
        {isRecord(now) && current.value === now.tip && now.tip.outcome === null && (
          <button type="button" onClick={playFromHere}>
            {phrase('play.fromHere')}
          </button>
        )}
        {canPlayOn() && (
          <button type="button" onClick={playOn}>
            {phrase('play.playOn')}
          </button>
        )}
      </div>
    </div>
  );
}

export function reviewGame(): void {
  go(match.peek().tip);
  tab.value = 'review';
  void startReview('quick');
}
