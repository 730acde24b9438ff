// The buttons of a game.
import { entry } from '../board/MainBoard';
import { current, match, paused, revision } from '../game/store';
import { Dialog } from '../ui/Dialog';
import { closeDialog, dialog } from '../ui/dialogs';
import { canPause, flip, resign, resigns, takeBack } from './actions';
import { hint } from './opponent';
import { enginePlays, result } from './state';

export function Controls() {
  revision.value;
  const entering = entry.path.value.length > 0;
  return (
    <div class="buttons even">
      <button type="button" class="primary" onClick={() => (dialog.value = 'new')}>
        New game
      </button>
      <button type="button" disabled={!entering} onClick={() => entry.undo()} title="Escape does the same">
        Undo half-turn
      </button>
      <button type="button" disabled={!match.value.tip.parent} onClick={takeBack}>
        Take back
      </button>
      <button type="button" disabled={result.value !== null || enginePlays.value} onClick={() => void hint()}>
        Hint
      </button>
      {canPause() && (
        <button type="button" aria-pressed={paused.value} onClick={() => (paused.value = !paused.peek())}>
          {paused.value ? 'Go on' : 'Pause'}
        </button>
      )}
      <button type="button" onClick={flip}>
        Flip board
      </button>
      <button
        type="button"
        disabled={current.value !== match.value.tip || !resigns()}
        onClick={() => (dialog.value = 'resign')}
      >
        Resign
      </button>
    </div>
  );
}

export function ResignDialog() {
  return (
    <Dialog title="Resign this game?">
      <p>The other side wins. You can still take the last turn back afterwards.</p>
      <div class="buttons">
        <button
          type="button"
          class="primary"
          onClick={() => {
            resign();
            closeDialog();
          }}
        >
          Resign
        </button>
        <button type="button" onClick={closeDialog}>
          Play on
        </button>
      </div>
    </Dialog>
  );
}
