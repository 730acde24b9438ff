// A link was opened while a game is going on, or it is damaged.

import { useState } from 'preact/hooks';
import { messageOf } from '../errors';
import { gameOf } from '../games';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import { sizeOf } from './board';
import { linked as asked, linkProblem, openLink } from './incoming';

export function LinkDialog() {
  const linked = asked.value;
  const [error, setError] = useState(linkProblem.value);
  const [done, setDone] = useState(linked === null);
  const open = async () => {
    if (!linked) return;
    try {
      const words = await openLink(linked);
      if (words === '') return closeDialog();
      setError(words);
    } catch (refused) {
      setError(messageOf(refused));
    }
    setDone(true);
  };
  if (done || !linked) {
    return (
      <Dialog title="About this link">
        <p>{error || linkProblem.value}</p>
        <div class="dialog-buttons">
          <button type="button" class="primary" onClick={closeDialog}>
            Go on
          </button>
        </div>
      </Dialog>
    );
  }
  const { tree } = linked;
  const { title } = gameOf(tree.variant);
  return (
    <Dialog title="Open the game of this link?">
      <p>
        The link holds {tree.root.children.length === 0 ? 'a position' : `a game of ${sizeOf(tree)}`} of{' '}
        {title}. A game is going on on the board. It would be kept, and “Import and export” brings it back.
      </p>
      <div class="dialog-buttons">
        <button type="button" class="primary" onClick={() => void open()}>
          Open the link
        </button>
        <button type="button" onClick={closeDialog}>
          Keep playing
        </button>
      </div>
    </Dialog>
  );
}
