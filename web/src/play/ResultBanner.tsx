// The end of a game: who won, why, and what one may do next.
import { go, match, revision, tab } from '../game/store';
import { startReview } from '../review/review';
import { canPlayOn, playAgain, playOn } from './actions';
import { resultOf } from './result';

export function ResultBanner() {
  revision.value;
  const result = resultOf(match.value);
  if (!result) return null;
  return (
    <div class={`result ${result.outcome}`} data-result={result.outcome}>
      <h3>{result.headline}</h3>
      <p>{result.reason}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={reviewGame}>
          Review this game
        </button>
        <button type="button" onClick={playAgain}>
          Play again
        </button>
        {canPlayOn() && (
          <button type="button" onClick={playOn}>
            Play on
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
