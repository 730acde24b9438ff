// Resigning ends the game at once, so it is asked for twice.
import { phrase } from '../messages';
import { sideName } from '../names';
import { other } from '../protocol';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import { people, resign, resigningSide } from './actions';

export function ResignDialog() {
  const side = resigningSide();
  if (!side) return null;
  const winner =
    people().length === 1
      ? phrase('play.theEngine')
      : phrase('play.theSide', { side: sideName[other(side)] });
  return (
    <Dialog title={phrase('play.resignTitle')}>
      <p class="dialog-words">{phrase('play.resignWords', { winner })}</p>
      <div class="buttons">
        <button type="button" onClick={closeDialog}>
          {phrase('play.playOn')}
        </button>
        <button
          type="button"
          class="primary danger"
          onClick={() => {
            resign();
            closeDialog();
          }}
        >
          {phrase('play.resign')}
        </button>
      </div>
    </Dialog>
  );
}
