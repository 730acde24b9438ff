// Buttons that are always at hand: the settings and the list of keys.
import { phrase } from '../messages';
import { dialog } from '../ui/dialogs';
import { IconButton } from '../ui/IconButton';

export function Tools() {
  return (
    <>
      <IconButton
        class="tool"
        label={phrase('settings.title')}
        onClick={() => (dialog.value = 'settings')}
        drawing="M4 7h9M19 7h1M4 17h2M12 17h8M16 4a3 3 0 1 0 0 6a3 3 0 1 0 0-6zM9 14a3 3 0 1 0 0 6a3 3 0 1 0 0-6z"
      />
      <IconButton
        class="tool keys-tool"
        label={phrase('keys.title')}
        onClick={() => (dialog.value = 'keys')}
        drawing="M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8"
      />
    </>
  );
}
