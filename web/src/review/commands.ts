// The review in words, for the text mode.

import { positions } from '../game/store';
import { points } from '../game/verdicts';
import { phrase } from '../messages';
import { sideName } from '../names';
import { judged, progress, reviewed, startReview, verdicts } from './review';
import { answerWords, mistakes, questionWords, showAnswer, step, trial } from './trial';

/** `review`: searches what is missing and sums up. */
export async function reviewWords(): Promise<string> {
  if (positions.peek().length < 2) return phrase('review.noTurn');
  if (progress.peek() === null && reviewed('quick') < positions.peek().length) await startReview('quick');
  return summaryWords();
}

/** `summary`: how both sides played. */
export function summaryWords(): string {
  const review = judged.peek();
  if (!review) return phrase('review.notReviewed');
  return (['white', 'black'] as const)
    .map((side) => {
      const { moves, averageLoss, kinds } = review[side];
      const counts = review.kinds.map(({ name }, at) =>
        phrase(`kind.counted.${name}`, { count: kinds[at]! }),
      );
      return phrase('review.sideSummary', {
        side: sideName[side],
        count: moves,
        loss: points(averageLoss ?? 0),
        kinds: counts.join(', '),
      });
    })
    .join('\n');
}

/** `next mistake` and `previous mistake`: sets the position before it and asks for a better turn. */
export function mistakeWords(by: 1 | -1): string {
  if (verdicts.peek().length === 0) return phrase('review.notReviewed');
  const mistake = step(by);
  if (!mistake) return phrase('review.nothingFound');
  const place = mistakes.peek().findIndex(({ node }) => node === mistake.node) + 1;
  return phrase('review.place', { place, total: mistakes.peek().length, question: questionWords(mistake) });
}

/** `answer`: the best turn where a mistake is looked at. */
export function answerCommand(): string {
  const now = trial.peek();
  if (!now) return phrase('review.noneLookedAt');
  showAnswer();
  return answerWords(now.mistake);
}
