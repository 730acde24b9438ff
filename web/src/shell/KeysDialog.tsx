// The list of keys.
import { set, settings } from '../settings';
import { Dialog } from '../ui/Dialog';
import { BOARD_KEYS, shortcuts } from './shortcuts';

const SHOWN: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };

export function KeysDialog() {
  return (
    <Dialog title="Keys" wide>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.value.letterKeys}
          onChange={(event) => set('letterKeys', event.currentTarget.checked)}
        />
        <span>Single letters and digits are shortcuts</span>
      </label>
      <div class="keys">
        <Keys title="Everywhere" rows={shortcuts.map(({ keys, words }) => [keys.map(shown), words])} />
        <Keys title="On the board" rows={BOARD_KEYS} />
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
  return SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
