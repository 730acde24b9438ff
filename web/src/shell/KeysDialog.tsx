// The list of keys.
import { phrase } from '../messages';
import { Dialog } from '../ui/Dialog';
import { dialog } from '../ui/dialogs';
import { BOARD_KEYS, shortcuts } from './shortcuts';

const SHOWN: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};
/** Keys that have a name in every language; the others are what is printed on them. */
const NAMED = ['Home', 'End', 'Enter', 'PageUp', 'PageDown', 'ContextMenu'] as const;

export function KeysDialog() {
  return (
    <Dialog title={phrase('keys.title')} wide>
      <p class="keys-note">
        {phrase('keys.letters')}{' '}
        <button type="button" class="small" onClick={() => (dialog.value = 'settings')}>
          {phrase('settings.title')}
        </button>
      </p>
      <div class="keys">
        <Keys
          title={phrase('keys.everywhere')}
          rows={shortcuts.map(({ keys, words }) => [keys.map(shown), phrase(words)])}
        />
        <Keys
          title={phrase('keys.onBoard')}
          rows={BOARD_KEYS.map(([keys, words]) => [keys.map(shown), phrase(words)])}
        />
      </div>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [string[], string])[] }) {
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {rows.map(([keys, words]) => (
          <tr key={words}>
            <th scope="row">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </th>
            <td>{words}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(key: string): string {
  return SHOWN[key] ?? (isNamed(key) ? phrase(`keys.names.${key}`) : key.toUpperCase());
}

function isNamed(key: string): key is (typeof NAMED)[number] {
  return NAMED.some((name) => name === key);
}
