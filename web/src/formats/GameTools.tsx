// The way to the editor, to files and links, and to the lessons, for the panel beside the board.

import { match, tab } from '../game/store';
import { teach } from '../learn/progress';
import { phrase } from '../messages';
import { dialog } from '../ui/dialogs';
import { CopyLink } from './CopyLink';

export function GameTools() {
  return (
    <div class="buttons even">
      <button
        type="button"
        onClick={() => {
          dialog.value = 'editor';
        }}
      >
        {phrase('tools.setUp')}
      </button>
      <button
        type="button"
        onClick={() => {
          dialog.value = 'formats';
        }}
      >
        {phrase('tools.exchange')}
      </button>
      <CopyLink />
      <button
        type="button"
        onClick={() => {
          teach(match.peek().setup.variant);
          tab.value = 'learn';
        }}
      >
        {phrase('tools.learn')}
      </button>
    </div>
  );
}
