// Light, dark or as the system has it; and whether things move. Set on the root element, where the style sheets look.
import { effect } from '@preact/signals';
import { type Settings, set, settings } from '../settings';

export type Theme = Settings['theme'];

export const THEMES: readonly [Theme, string][] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function chooseTheme(theme: Theme): void {
  set('theme', theme);
}

effect(() => {
  const { theme, animation } = settings.value;
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  dataset.animation = animation ? 'on' : 'off';
});
