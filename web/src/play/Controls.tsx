// The buttons of a game.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { messageOf } from '../errors';
import { GameTools } from '../formats/GameTools';
import { current, go, isGoingOn, legal, match, paused, problem, revision } from '../game/store';
import { line } from '../game/tree';
import { phrase } from '../messages';
import { dialog } from '../ui/dialogs';
import { BACK, IconButton } from '../ui/IconButton';
import {
  askHint,
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
      <div class="game-tools" role="group" aria-label={phrase('play.game')}>
        <IconButton
          label={phrase('play.takeBack')}
          drawing={BACK}
          disabled={!takeBackTo()}
          onClick={takeBack}
        />
        {goingOn && !isShow() && !filling.value && <HintButton />}
        {resigningSide() && !filling.value && (
          <IconButton
            label={phrase('play.resign')}
            drawing="M6 21V4h12l-3 4.5l3 4.5H6"
            onClick={() => (dialog.value = 'resign')}
          />
        )}
        <button
          type="button"
          class={goingOn && now.tip.parent ? undefined : 'primary'}
          onClick={() => (dialog.value = 'new')}
        >
          {phrase('play.newGame')}
        </button>
        <GameTools />
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
    <IconButton
      label={phrase('play.hint')}
      drawing="M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.5 10.9c.7.6 1 1.3 1 2.1h5c0-.8.3-1.5 1-2.1A6 6 0 0 0 12 3z"
      disabled={searching || !hintable()}
      title={failed.value || phrase('play.hint')}
      onClick={() => {
        failed.value = '';
        askHint().catch((error: unknown) => {
          failed.value = messageOf(error);
        });
      }}
    />
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
