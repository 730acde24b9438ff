// The list of keys.
import { shortcuts } from '../shortcuts';
import { Dialog } from './Dialog';

export function KeysDialog() {
  return (
    <Dialog title="Keys">
      <p>
        On the board, the arrow keys go from square to square, Enter or Space chooses a square, and Escape
        takes the last choice back.
      </p>
      <dl class="keys">
        {shortcuts.map(({ shown, does }) => (
          <>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
