// A link was opened while a game is going on, or it is damaged.

import { useState } from 'preact/hooks';
import { messageOf } from '../errors';
import { gameOf } from '../games';
import { phrase } from '../messages';
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
      <Dialog title={phrase('link.about')}>
        <p class="dialog-words">{error || linkProblem.value}</p>
        <div class="buttons">
          <button type="button" class="primary" onClick={closeDialog}>
            {phrase('link.goOn')}
          </button>
        </div>
      </Dialog>
    );
  }
  const { tree } = linked;
  const { title } = gameOf(tree.variant);
  return (
    <Dialog title={phrase('link.title')}>
      <p class="dialog-words">
        {tree.root.children.length === 0
          ? phrase('link.position', { game: title })
          : phrase('link.game', { game: title, turns: sizeOf(tree) })}
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void open()}>
          {phrase('link.open')}
        </button>
        <button type="button" onClick={closeDialog}>
          {phrase('link.keep')}
        </button>
      </div>
    </Dialog>
  );
}
