// A button that puts a link to this game into the clipboard.

import { useState } from 'preact/hooks';
import { say } from '../live';
import { phrase } from '../messages';
import { dialog } from '../ui/dialogs';
import { copy, gameLink } from './board';

export function CopyLink() {
  const [done, setDone] = useState(false);
  const click = async (event: Event) => {
    // The menu stays, as it says whether it is done.
    event.stopPropagation();
    const { address } = gameLink();
    if (await copy(address)) {
      setDone(true);
      say(phrase('tools.linkCopied'));
      setTimeout(() => setDone(false), 2000);
    } else {
      // The dialog shows the link, to be copied by hand.
      dialog.value = 'formats';
    }
  };
  return (
    <button type="button" onClick={(event) => void click(event)}>
      {phrase(done ? 'tools.copied' : 'tools.copyLink')}
    </button>
  );
}
