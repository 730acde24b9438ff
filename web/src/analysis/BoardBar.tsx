// The evaluation bar of the main board, in the tabs that are about evaluations.

import type { Standing } from '../game/standing';
import { current, revision, tab } from '../game/store';
import type { GameNode } from '../game/tree';
import { findings } from './analyser';
import { EvalBar } from './EvalBar';

/** The value from a review, in the form of a search's; a review keeps no share of draws. */
function reviewStanding({ review }: GameNode): Standing | null {
  if (!review) return null;
  const white = Math.round(review.white * 1000);
  return { white: review.white, wdl: [white, 0, 1000 - white], proven: review.proven };
}

export function BoardBar() {
  revision.value;
  if (tab.value !== 'analyse' && tab.value !== 'review') return null;
  const known = findings.value.standing;
  const standing = tab.value === 'analyse' ? known : (known ?? reviewStanding(current.value));
  return <EvalBar standing={standing} />;
}
