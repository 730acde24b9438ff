// What people set for themselves, kept in the browser.
import { effect, signal } from '@preact/signals';
import type { Language } from './messages/languages';
import { load, store } from './storage';

export interface Settings {
  language: Language | 'browser';
  theme: 'system' | 'light' | 'dark';
  sound: boolean;
  textMode: boolean;
  coordinates: boolean;
  /** Squares where the next choice may fall. */
  targets: boolean;
  animation: boolean;
  /** Single letters are shortcuts. */
  letterKeys: boolean;
  /** How fast the rest of a game is filled in. */
  fill: 'at once' | 'fast' | 'slow';
}

const KEY = 'settings';
const defaults: Settings = {
  language: 'browser',
  theme: 'system',
  sound: false,
  textMode: false,
  coordinates: true,
  targets: true,
  animation: true,
  letterKeys: true,
  fill: 'fast',
};

export const settings = signal<Settings>(
  load(KEY, (value) => ({ ...defaults, ...(value as Partial<Settings>) })) ?? defaults,
);

effect(() => store(KEY, settings.value));

export function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings.value = { ...settings.peek(), [key]: value };
}
