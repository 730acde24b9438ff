// The settings that people choose for themselves, kept in the browser.
import { isLanguage, type Language } from './messages/languages';
import { keptSignal } from './storage';

export const THEMES = ['system', 'light', 'dark'] as const;
/** Colours of the board: `styles/boards.css` has them. */
export const BOARDS = ['wood', 'green', 'blue', 'grey'] as const;
/** How fast the rest of a game is filled in. */
export const SPEEDS = ['at once', 'fast', 'slow'] as const;

export interface Settings {
  language: Language | 'browser';
  theme: (typeof THEMES)[number];
  board: (typeof BOARDS)[number];
  coordinates: boolean;
  /** Squares where the next choice may fall. */
  targets: boolean;
  animation: boolean;
  /** In a game a turn that was entered waits to be confirmed. */
  confirm: boolean;
  sound: boolean;
  /** 0 … 1. */
  volume: number;
  textMode: boolean;
  /** Single letters are shortcuts. */
  letterKeys: boolean;
  fill: (typeof SPEEDS)[number];
}

const KEY = 'settings';
const defaults: Settings = {
  language: 'browser',
  theme: 'system',
  board: 'wood',
  coordinates: true,
  targets: true,
  animation: true,
  confirm: false,
  sound: false,
  volume: 0.5,
  textMode: false,
  letterKeys: true,
  fill: 'fast',
};

const isOneOf = (list: readonly string[]) => (value: unknown) => list.includes(value as string);
const isSwitch = (value: unknown) => typeof value === 'boolean';

/** Tests for the values of each setting. */
const fits: Record<keyof Settings, (value: unknown) => boolean> = {
  language: (value) => value === 'browser' || isLanguage(String(value)),
  theme: isOneOf(THEMES),
  board: isOneOf(BOARDS),
  coordinates: isSwitch,
  targets: isSwitch,
  animation: isSwitch,
  confirm: isSwitch,
  sound: isSwitch,
  volume: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  textMode: isSwitch,
  letterKeys: isSwitch,
  fill: isOneOf(SPEEDS),
};

/** A setting that is none, as one of another version of the page, is as it is at first. Throws if all is damaged. */
function read(saved: unknown): Settings {
  if (typeof saved !== 'object' || saved === null) throw new Error('no settings');
  const known = Object.entries(saved).filter(([key, value]) => fits[key as keyof Settings]?.(value));
  return { ...defaults, ...Object.fromEntries(known) };
}

export const settings = keptSignal<Settings>(KEY, read, defaults);

export function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings.value = { ...settings.peek(), [key]: value };
}
