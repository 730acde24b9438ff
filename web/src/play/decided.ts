// Games whose result is certain before the rules end them: what is known, in words; ending them there, and filling in
// the rest. That it is certain is the engine's word.

import { effect, signal, untracked } from '@preact/signals';
import { amount, amounts } from '../analysis/marks';
import { messageOf, NothingFound } from '../errors';
import { isGoingOn, match, paused, playAtTip, positionOf, problem, revision, touch } from '../game/store';
import type { GameNode } from '../game/tree';
import { session } from '../host';
import { phrase } from '../messages';
import { sideName } from '../names';
import type { DecidedInfo, Outcome } from '../protocol';
import { type Settings, settings } from '../settings';

/** Milliseconds for a turn that is filled in, by what people call it. */
const PAUSES: Record<Settings['fill'], number> = { 'at once': 0, fast: 150, slow: 900 };

/** "White wins by 12½ turns", "White wins by 2½ to 9½ turns", "Black wins", "a draw". */
export function decidedWords({ outcome, margin, between, unit }: DecidedInfo): string {
  if (outcome === 'draw' || !between || !unit) return wonBy(outcome, margin, unit);
  return phrase('result.winsBy', { side: sideName[outcome], margin: amounts(between, unit) });
}

/** A result in words, for any game; the margin is left out where it is not known. */
export function wonBy(
  outcome: Outcome,
  margin: number | null | undefined,
  unit: DecidedInfo['unit'] | undefined,
): string {
  if (outcome === 'draw') return phrase('result.aDraw');
  const side = sideName[outcome];
  if (!margin || !unit) return phrase('result.sideWins', { side });
  return phrase('result.winsBy', { side, margin: amount(Math.abs(margin), unit) });
}

export function reasonWords({ by }: DecidedInfo): string {
  return phrase(`result.${by}`);
}

/** The certain result of the game that is played; `null` if none is certain, or if the game is over. */
export function decidedNow(): DecidedInfo | null {
  const now = match.peek();
  return isGoingOn(now) ? now.tip.decided : null;
}

/** Ends the game with what is certain. Says whether it could. */
export function endDecided(): boolean {
  const decided = decidedNow();
  if (!decided) return false;
  stopFilling();
  match.peek().ending = { winner: decided.outcome, reason: 'decided', margin: decided.margin };
  touch();
  return true;
}

/** The rest of the game is filled in. */
export const filling = signal(false);
let timer: ReturnType<typeof setTimeout> | undefined;
/** Where the game stands while it is filled in, between two turns: whatever else moves it ends that. */
let at: GameNode | null = null;

export function stopFilling(): void {
  clearTimeout(timer);
  at = null;
  if (!filling.peek()) return;
  filling.value = false;
  // Nobody plays on by himself what was stopped.
  if (isGoingOn(match.peek())) paused.value = true;
}

/** Plays the rest of a game that is decided, for both sides. Says whether it could. */
export function fillIn(): boolean {
  if (filling.peek() || !decidedNow()) return false;
  problem.value = '';
  const from = match.peek().tip;
  at = from;
  filling.value = true;
  session
    .ask({ action: 'fill', ...positionOf(from) })
    .then(({ turns, moves }) => {
      const rest = moves.map((text, index) => ({ text, ...turns[index]! }));
      const next = () => {
        if (at !== match.peek().tip) return;
        const turn = rest.shift();
        if (!turn) {
          stopFilling();
          return;
        }
        at = null;
        at = playAtTip(turn);
        timer = setTimeout(next, PAUSES[settings.peek().fill]);
      };
      next();
    })
    .catch((error: unknown) => {
      stopFilling();
      if (!(error instanceof NothingFound)) problem.value = messageOf(error);
    });
  return true;
}

effect(() => {
  revision.value;
  const { tip } = match.value;
  untracked(() => {
    if (at && tip !== at) stopFilling();
  });
});
