// The head of the page: its name, the tabs (on a phone at the lower edge, where the thumb is), tools.
import { type Tab, tab } from '../game/store';
import { phrase } from '../messages';
import { settings } from '../settings';
import { Mark } from '../ui/Mark';
import { toggleTextMode } from './shortcuts';
import { Tools } from './Tools';

const TABS: readonly [Tab, string][] = [
  ['play', 'M12 3l7.5 4.5v9L12 21l-7.5-4.5v-9zM12 3v18M4.5 7.5L12 12l7.5-4.5'],
  ['analyse', 'M4 20V10M10 20V4M16 20v-7M21 20H3'],
  ['review', 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM15.5 15.5L21 21M8 10.5l2 2l3.5-4'],
  ['learn', 'M3 6c4-2 7-1 9 1c2-2 5-3 9-1v12c-4-2-7-1-9 1c-2-2-5-3-9-1zM12 7v12'],
  ['problems', 'M9 4h3v2.5a1.75 1.75 0 1 0 3.5 0V4H20v5h-2.5a1.75 1.75 0 1 0 0 3.5H20V20H4V4h5'],
];

export function Header() {
  return (
    <header class="top">
      {/* Seen while it has the focus: who needs it comes here first. */}
      <button
        type="button"
        class="first-stop"
        aria-pressed={settings.value.textMode}
        onClick={toggleTextMode}
      >
        {phrase('shell.textMode')}
      </button>
      <span class="brand">
        <Mark />
        <span class="brand-name">Hippolyta</span>
      </span>
      <nav aria-label={phrase('shell.parts')}>
        {TABS.map(([id, drawing]) => (
          <button
            key={id}
            type="button"
            aria-current={tab.value === id ? 'page' : undefined}
            onClick={() => (tab.value = id)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={drawing} />
            </svg>
            {phrase(`tab.${id}`)}
          </button>
        ))}
      </nav>
      <div class="tools">
        <Tools />
      </div>
    </header>
  );
}
