// Three small buttons in the header: as the system, light, dark.
import { settings } from '../settings';
import { chooseTheme, THEMES, type Theme } from './theme';

const DRAWINGS: Record<Theme, string> = {
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  light:
    'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M19.1 4.9l-1.8 1.8M6.7 17.3l-1.8 1.8',
  dark: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
};

export function ThemeSwitch() {
  return (
    <div class="theme-switch" role="group" aria-label="Colours of the page">
      {THEMES.map(([theme, title]) => (
        <button
          key={theme}
          type="button"
          title={title}
          aria-label={title}
          aria-pressed={settings.value.theme === theme}
          onClick={() => chooseTheme(theme)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={DRAWINGS[theme]} />
          </svg>
        </button>
      ))}
    </div>
  );
}
