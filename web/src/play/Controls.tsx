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
          {phrase('play.letEngine')}
        </button>
      )}
      <div class="buttons even" role="group" aria-label={phrase('play.game')}>
        <button type="button" disabled={!takeBackTo()} onClick={takeBack}>
          {phrase('play.takeBack')}
        </button>
        {goingOn && !isShow() && !filling.value && <HintButton />}
        {resigningSide() && !filling.value && (
          <button type="button" onClick={() => (dialog.value = 'resign')}>
            {phrase('play.resign')}
          </button>
        )}
        <button type="button" onClick={flip}>
          {phrase('play.flip')}
        </button>
        <button
          type="button"
          class={goingOn && now.tip.parent ? undefined : 'primary'}
          onClick={() => (dialog.value = 'new')}
        >
          {phrase('play.newGame')}
        </button>
        {before.value && now.tip.parent === null && (
          <button type="button" onClick={bringBack}>
            {phrase('play.bringBack')}
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
    <div class="buttons" role="group" aria-label={phrase('new.show')}>
      <button type="button" class="primary" onClick={() => setPaused(!paused.peek())}>
        {phrase(paused.value ? 'play.continue' : 'play.pause')}
      </button>
      <button type="button" disabled={!paused.value || thinking.value !== null} onClick={stepOnce}>
        {phrase('play.oneTurn')}
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
      {phrase(searching ? 'play.looking' : 'play.hint')}
    </button>
  );
}

/** Somebody looks at another position than the one where the game stands. */
function Elsewhere() {
  const now = match.value;
  const earlier = line(now.tip).includes(current.value);
  const words = phrase(earlier ? 'play.earlier' : 'play.elsewhere');
  return (
    <Notice words={words}>
      <button type="button" onClick={() => go(now.tip)}>
        {phrase('play.back')}
      </button>
      {earlier && (
        <button type="button" onClick={playFromHere}>
          {phrase('play.fromHere')}
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
