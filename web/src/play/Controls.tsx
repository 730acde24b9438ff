// The buttons of a game.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { messageOf } from '../errors';
import { before, bringBack } from '../formats/replace';
import { current, go, isGoingOn, legal, match, paused, problem, revision } from '../game/store';
import { line } from '../game/tree';
import { hasGames } from '../history/games';
import { phrase } from '../messages';
import { dialog } from '../ui/dialogs';
import {
  askHint,
  flip,
  hint,
  hintable,
  isShow,
  playFromHere,
  resigningSide,
  setPaused,
  takeBack,
  takeBackTo,
} from './actions';
import { DecidedCard } from './DecidedCard';
import { filling } from './decided';
import { isEngine, stepOnce, thinking } from './opponent';

export function Controls() {
  revision.value;
  const now = match.value;
  const goingOn = isGoingOn(now);
  const atTip = current.value === now.tip;
  return (
    <>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {!atTip && <Elsewhere />}
      {goingOn && atTip && <DecidedCard />}
      {goingOn && isShow() && <ShowControls />}
      {goingOn && !isShow() && paused.value && isEngine(now.tip.toMove) && (
        <button type="button" class="primary" onClick={() => setPaused(false)}>
          Let the engine play
        </button>
      )}
      <div class="buttons even" role="group" aria-label="Game">
        <button type="button" disabled={!takeBackTo()} onClick={takeBack}>
          Take back
        </button>
        {goingOn && !isShow() && !filling.value && <HintButton />}
        {resigningSide() && !filling.value && (
          <button type="button" onClick={() => (dialog.value = 'resign')}>
            Resign
          </button>
        )}
        <button type="button" onClick={flip}>
          Flip board
        </button>
        <button
          type="button"
          class={goingOn && now.tip.parent ? undefined : 'primary'}
          onClick={() => (dialog.value = 'new')}
        >
          New game
        </button>
        {before.value && now.tip.parent === null && (
          <button type="button" onClick={bringBack}>
            Bring back the game before
          </button>
        )}
        {goingOn && hasGames() && (
          <button type="button" onClick={() => (dialog.value = 'games')}>
            {phrase('games.title')}
          </button>
        )}
      </div>
    </>
  );
}

/** Engine against engine. */
function ShowControls() {
  return (
    <div class="buttons" role="group" aria-label="Engine against engine">
      <button type="button" class="primary" onClick={() => setPaused(!paused.peek())}>
        {paused.value ? 'Continue' : 'Pause'}
      </button>
      <button type="button" disabled={!paused.value || thinking.value !== null} onClick={stepOnce}>
        One turn
      </button>
    </div>
  );
}

function HintButton() {
  // The answer to whether there may be a hint changes with these.
  thinking.value;
  legal.value;
  const searching = hint.value !== null && hint.value.turn === null;
  const failed = useSignal('');
  return (
    <button
      type="button"
      disabled={searching || !hintable()}
      title={failed.value}
      onClick={() => {
        failed.value = '';
        askHint().catch((error: unknown) => {
          failed.value = messageOf(error);
        });
      }}
    >
      {searching ? 'Looking…' : 'Hint'}
    </button>
  );
}

/** Somebody looks at another position than the one where the game stands. */
function Elsewhere() {
  const now = match.value;
  const earlier = line(now.tip).includes(current.value);
  const words = earlier ? 'This is an earlier position of the game.' : 'This position is not in the game.';
  return (
    <Notice words={words}>
      <button type="button" onClick={() => go(now.tip)}>
        Back to the game
      </button>
      {earlier && (
        <button type="button" onClick={playFromHere}>
          Play on from here
        </button>
      )}
    </Notice>
  );
}

function Notice({ words, children }: { words: string; children: ComponentChildren }) {
  return (
    <div class="banner">
      <p>{words}</p>
      <div class="buttons">{children}</div>
    </div>
  );
}
