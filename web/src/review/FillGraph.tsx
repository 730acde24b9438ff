// A review from the tab Analyse.
import { positions } from '../game/store';
import { progress, startReview, stopReview } from './review';

/** Fills the graph: a quick review of all positions, without leaving this tab. */
export function FillGraph() {
  const now = progress.value;
  if (now)
    return (
      <p class="quiet">
        {now.done} of {now.total} positions{' '}
        <button type="button" class="link" onClick={stopReview}>
          Stop
        </button>
      </p>
    );
  const open = positions.value.filter((node) => node.whiteWinrate === null).length;
  if (open === 0 || positions.value.length < 3) return null;
  return (
    <button type="button" class="link small" onClick={() => void startReview('quick')}>
      Fill in the graph: analyse every position of the game
    </button>
  );
}
