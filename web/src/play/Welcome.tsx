// For who is here for the first time: how the game on the board is played, in two sentences, and the way to the lessons.

import { effect, signal } from '@preact/signals';
import { game, match, revision, tab } from '../game/store';
import { teach } from '../learn/progress';
import { phrase } from '../messages';
import { load, store } from '../storage';
import { resultOf } from './result';

const KEY = 'welcomed';
/** Turns of both sides after which nobody needs it any more. */
const ENOUGH = 6;

/** Has the page been used before? */
const welcomed = signal(load(KEY, (value) => value === true) ?? match.peek().tree.root.children.length > 0);

effect(() => {
  if (welcomed.value) store(KEY, true);
});

// Whoever has seen the end of a game knows how it is played, and so does who has chosen another one.
const first = match.peek();
effect(() => {
  revision.value;
  if (match.value !== first || resultOf(match.value)) welcomed.value = true;
});

export function Welcome() {
  revision.value;
  const { tree, tip } = match.value;
  if (welcomed.value || tree.start !== null || tip.ply >= ENOUGH) return null;
  return (
    <section class="welcome" aria-label={phrase('play.how')}>
      <p>{game.value.rules}</p>
      <div class="buttons">
        <button
          type="button"
          onClick={() => {
            teach(game.peek().id);
            tab.value = 'learn';
          }}
        >
          {phrase('play.learn')}
        </button>
        <button type="button" class="plain" onClick={() => (welcomed.value = true)}>
          {phrase('play.know')}
        </button>
      </div>
    </section>
  );
}
