// Facts in the tags of a game from elsewhere: who played, where and when, and how it ended.

import { phrase } from '../messages';
import type { Outcome, Side } from '../protocol';
import type { Ending } from './store';

type Tags = Readonly<Record<string, string>> | undefined;

/** How a game ended that the rules did not end, as records have it. */
const TERMINATIONS: Record<Exclude<Ending['reason'], 'recorded'>, string> = {
  resigned: 'resignation',
  time: 'time',
  decided: 'exact',
};

const RESULTS: Record<string, Outcome> = { '1-0': 'white', '0-1': 'black', '1/2-1/2': 'draw' };

export function terminationOf({ reason }: Ending): string | undefined {
  return reason === 'recorded' ? undefined : TERMINATIONS[reason];
}

export function resultOf(winner: Outcome | null): string {
  return Object.keys(RESULTS).find((result) => RESULTS[result] === winner) ?? '*';
}

/** `null` if the game is not said to be over. */
export function endingOf(tags: Tags): Ending | null {
  const winner = RESULTS[tags?.Result ?? ''];
  if (!winner) return null;
  const reasons = Object.keys(TERMINATIONS) as (keyof typeof TERMINATIONS)[];
  const reason = reasons.find((each) => TERMINATIONS[each] === tags?.Termination) ?? 'recorded';
  const margin = Number(tags?.Margin);
  if (reason === 'decided')
    return { winner, reason, margin: tags?.Margin && Number.isFinite(margin) ? margin : null };
  // Nobody resigns a draw, or is given one by the clock.
  return { winner, reason: winner === 'draw' ? 'recorded' : reason };
}

/** A tag's text; empty where PGN marks it as unknown: `?`, `-`, `????.??.??`. */
function known(text: string | undefined): string {
  const found = (text ?? '').trim().replace(/(?:\.\?+)+$/, '');
  return /^[?.-]*$/.test(found) ? '' : found;
}

export function nameIn(tags: Tags, side: Side): string {
  return known(tags?.[side === 'white' ? 'White' : 'Black']);
}

/** "Computer Olympiad, Leiden, round 3, 2023.07.12"; empty if nothing is known. */
export function eventIn(tags: Tags): string {
  const round = known(tags?.Round);
  return [
    known(tags?.Event),
    known(tags?.Site),
    round && phrase('record.round', { round }),
    known(tags?.Date),
  ]
    .filter(Boolean)
    .join(', ');
}

/** "The record gives 1–0: time forfeit." */
export function recordWords(tags: Tags): string {
  const result = known(tags?.Result).replace('-', '–').replaceAll('1/2', '½');
  const why = known(tags?.Termination);
  if (!why || why === 'normal') return phrase('record.gives', { result });
  return phrase('record.givesWhy', { result, why, stop: /[.!?]$/.test(why) ? '' : '.' });
}
