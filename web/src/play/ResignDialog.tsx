// Resigning ends the game at once, so it is asked for twice.
import { sideName } from '../names';
import { other } from '../protocol';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import { people, resign, resigningSide } from './actions';

export function ResignDialog() {
  const side = resigningSide();
  if (!side) return null;
  const winner = people().length === 1 ? 'The engine' : sideName[other(side)];
  return (
    <Dialog title="Resign?">
      <p class="dialog-words">{winner} wins the game at once. Take back lets you play on.</p>
      <div class="buttons">
        <button type="button" onClick={closeDialog}>
          Play on
        </button>
        <button
          type="button"
          class="primary danger"
          onClick={() => {
            resign();
            closeDialog();
          }}
        >
          Resign
        </button>
      </div>
    </Dialog>
  );
}
