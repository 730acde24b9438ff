// The review in words, for the text mode.

import { positions } from '../game/store';
import { sideName } from '../names';
import { judged, progress, reviewed, startReview, verdicts } from './review';
import { answerWords, mistakes, questionWords, showAnswer, step, trial } from './trial';
import { points } from './words';

/** `review`: searches what is missing and sums up. */
export async function reviewWords(): Promise<string> {
  if (positions.peek().length < 2) return 'No turn was played yet.';
  if (progress.peek() === null && reviewed('quick') < positions.peek().length) await startReview('quick');
  return summaryWords();
}

/** `summary`: how both sides played. */
export function summaryWords(): string {
  const review = judged.peek();
  if (!review) return 'The game was not reviewed yet: say review.';
  return (['white', 'black'] as const)
    .map((side) => {
      const { moves, averageLoss, kinds } = review[side];
      const counts = review.kinds.map(
        ({ name, plural }, at) => `${kinds[at]} ${kinds[at] === 1 ? name : plural}`,
      );
      return `${sideName[side]}: ${moves} turns, average loss ${points(averageLoss ?? 0)}, ${counts.join(', ')}.`;
    })
    .join('\n');
}

/** `next mistake` and `previous mistake`: sets the position before it and asks for a better turn. */
export function mistakeWords(by: 1 | -1): string {
  if (verdicts.peek().length === 0) return 'The game was not reviewed yet: say review.';
  const mistake = step(by);
  if (!mistake) return 'No mistakes were found.';
  const place = mistakes.peek().findIndex(({ node }) => node === mistake.node) + 1;
  return `Mistake ${place} of ${mistakes.peek().length}. ${questionWords(mistake)}`;
}

/** `answer`: the best turn where a mistake is looked at. */
export function answerCommand(): string {
  const now = trial.peek();
  if (!now) return 'No mistake is looked at: say next mistake.';
  showAnswer();
  return answerWords(now.mistake);
}
