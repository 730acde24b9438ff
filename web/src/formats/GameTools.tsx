// The way to the editor, to files and links, and to the lessons, for the panel beside the board.
import { match, tab } from '../game/store';
import { teach } from '../learn/progress';
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
        Set up a position
      </button>
      <button
        type="button"
        onClick={() => {
          dialog.value = 'formats';
        }}
      >
        Import and export
      </button>
      <CopyLink />
      <button
        type="button"
        onClick={() => {
          teach(match.peek().setup.variant);
          tab.value = 'learn';
        }}
      >
        Learn this game
      </button>
    </div>
  );
}
