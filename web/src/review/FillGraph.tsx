// A review from the tab Analyse.

import { positions } from '../game/store';
import { phrase } from '../messages';
import { progress, startReview, stopReview } from './review';

/** Fills the graph: a quick review of all positions, without leaving this tab. */
export function FillGraph() {
  const now = progress.value;
  if (now)
    return (
      <p class="quiet">
        {phrase('graph.done', { done: now.done, total: now.total })}{' '}
        <button type="button" class="link" onClick={stopReview}>
          {phrase('analysis.stop')}
        </button>
      </p>
    );
  const open = positions.value.filter((node) => node.whiteWinrate === null).length;
  if (open === 0 || positions.value.length < 3) return null;
  return (
    <button type="button" class="link small" onClick={() => void startReview('quick')}>
      {phrase('graph.fill')}
    </button>
  );
}
