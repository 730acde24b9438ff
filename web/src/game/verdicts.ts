// What is said of a turn and of what it lost.
import { percent, phrase } from '../messages';
import type { KindName, MoveReviewed, Side } from '../protocol';
import { ownTurns, underOne } from './standing';
import type { PositionReview } from './tree';

/** Win rate of the side in words: "57%", "a win in 5 turns, proven". */
export function valueFor(side: Side, review: PositionReview): string {
  const { proven } = review;
  if (proven) {
    if (proven.outcome === 'draw') return phrase('verdict.aDraw');
    const wins = proven.outcome === side;
    if (proven.plies === null || proven.plies === 0) return phrase(wins ? 'verdict.aWin' : 'verdict.aLoss');
    return phrase(wins ? 'verdict.aWinIn' : 'verdict.aLossIn', { count: ownTurns(proven.plies) });
  }
  return percent(side === 'white' ? review.white : 1 - review.white);
}

/** "an inaccuracy"; "a turn" if it is none of these. */
export function article(kind: KindName | undefined): string {
  return phrase(kind ? `kind.one.${kind}` : 'trial.aTurn');
}

/** "12%", "under 1%". */
export function points(loss: number): string {
  return loss > 0 && loss < 0.005 ? underOne() : percent(loss);
}

/** The verdict, in words, on a turn that was tried in place of the one played. */
export function trialWords(
  { loss, isBest, kind }: Pick<MoveReviewed, 'loss' | 'isBest' | 'kind'>,
  lossInGame: number,
): string {
  if (isBest) return phrase('trial.isBest');
  if (loss < 0.01) return phrase('trial.asGood');
  if (!kind) return phrase('trial.good', { loss: points(loss) });
  if (loss + 0.01 < lossInGame) return phrase('trial.better', { loss: points(loss) });
  if (loss > lossInGame + 0.01) return phrase('trial.worse', { loss: points(loss) });
  return phrase('trial.noBetter', { loss: points(loss) });
}
