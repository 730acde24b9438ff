// Says every turn of both sides in full words, whoever played it and whatever is looked at, and how the game ended.
// The sounds go with it.

import { effect, untracked } from '@preact/signals';
import { match, revision } from '../game/store';
import type { GameNode } from '../game/tree';
import { say } from '../live';
import { phrase } from '../messages';
import { turnSentence } from '../names';
import { decidedNow, decidedWords, filling } from './decided';
import { resultOf } from './result';
import { playSound, soundOf } from './sound';

let told: GameNode = match.peek().tip;
let ended = resultOf(match.peek()) !== null;
/** The game of which it was said that it is decided. */
let decidedGame: object | null = null;

effect(() => {
  revision.value;
  const now = match.value;
  untracked(() => {
    const { tip } = now;
    if (tip !== told) {
      const mover = told.toMove;
      const forward = tip.parent === told;
      told = tip;
      if (forward && mover && tip.last && !filling.peek()) {
        say(`${turnSentence(tip.last, mover)}.`);
        playSound(soundOf(tip.last));
      }
    }
    const decided = decidedNow();
    if (decided && decidedGame !== now && !filling.peek()) {
      decidedGame = now;
      say(phrase('play.decided', { result: decidedWords(decided) }));
    }
    const result = resultOf(now);
    if (result && !ended) {
      say(`${result.headline}. ${result.reason}`);
      playSound('end');
    }
    ended = result !== null;
  });
});
