// Light and dark: what the system wants unless people choose.
import { effect, signal } from '@preact/signals';
import { set, settings } from './game/settings';

const system = signal<'light' | 'dark'>('light');

export function themeNow(): 'light' | 'dark' {
  const { theme } = settings.value;
  return theme === 'system' ? system.value : theme;
}

export function switchTheme(): void {
  set('theme', themeNow() === 'dark' ? 'light' : 'dark');
}

export function startTheme(): void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const read = () => {
    system.value = query.matches ? 'dark' : 'light';
  };
  query.addEventListener('change', read);
  read();
  effect(() => {
    document.documentElement.dataset.theme = themeNow();
    document.documentElement.dataset.animation = settings.value.animation ? 'on' : 'off';
  });
}
