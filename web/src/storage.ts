// localStorage under one prefix and version; in a frame of another site nothing is kept. Damaged data is set aside
// under another key, so that it stops nobody and nothing is thrown away; a browser without storage (private windows,
// full quota) only forgets.
//
// The game is kept twice: in the storage of the tab, which a reload finds again, and in that of all tabs, for the next
// tab that is opened. So two tabs play two games, and neither destroys the other's.
import { effect, type Signal, signal } from '@preact/signals';
import { isEmbedded } from './embedded';
import type { PlainKey } from './messages';

const PREFIX = 'hippolyta.v1.';

/** Notices for people about the storage, by the keys of their messages. */
export const storageNotices = signal<readonly PlainKey[]>([]);

function notice(message: PlainKey): void {
  if (!storageNotices.peek().includes(message)) storageNotices.value = [...storageNotices.peek(), message];
}

/** The stored value as `read` returns it; `null` if there is none or it is damaged. */
export function load<T>(key: string, read: (value: unknown) => T): T | null {
  return readFrom(() => localStorage, key, read);
}

export function store(key: string, value: unknown): void {
  storeIfRoom(key, value);
}

/** Says whether there was room. */
export function storeIfRoom(key: string, value: unknown): boolean {
  return writeTo(() => localStorage, PREFIX + key, JSON.stringify(value));
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Where nothing can be taken out, nothing was kept.
  }
}

/** The kept keys that begin so, in the order of their letters. */
export function keysFrom(beginning: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + beginning))
      .map((key) => key.slice(PREFIX.length))
      .sort();
  } catch {
    return [];
  }
}

/** Another tab has kept or forgotten something whose key begins so. */
export function onElsewhere(beginning: string, act: () => void): void {
  globalThis.window?.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(PREFIX + beginning)) act();
  });
}

/** Takes over what another tab has changed, so that what this one keeps next does not undo it. */
export function follow<T>(
  key: string,
  read: (value: unknown) => T,
  now: () => T,
  take: (value: T) => void,
): void {
  onElsewhere(key, () => {
    const told = load(key, read);
    if (told !== null && JSON.stringify(told) !== JSON.stringify(now())) take(told);
  });
}

/** A value that is kept whenever it changes, and changes when another tab keeps another; `usual` until one is kept. */
export function keptSignal<T>(key: string, read: (value: unknown) => T, usual: T): Signal<T> {
  const value = signal(load(key, read) ?? usual);
  effect(() => store(key, value.value));
  follow(
    key,
    read,
    () => value.peek(),
    (told) => (value.value = told),
  );
  return value;
}

/** As `load`: what this tab kept, or else what any tab kept last. */
export function recall<T>(key: string, read: (value: unknown) => T): T | null {
  return readFrom(() => sessionStorage, key, read) ?? readFrom(() => localStorage, key, read);
}

const kept = new Map<string, string>();

/** Keeps a value for this tab and for the next one that is opened. */
export function keep(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  if (kept.get(key) === text) return;
  kept.set(key, text);
  const own = writeTo(() => sessionStorage, PREFIX + key, text);
  const shared = writeTo(() => localStorage, PREFIX + key, text);
  if (!own && !shared) notice('storage.nothing');
}

// The storage is named by a function: a browser that allows none throws as soon as it is looked at.
function readFrom<T>(storage: () => Storage, key: string, read: (value: unknown) => T): T | null {
  if (isEmbedded) return null;
  let text: string | null = null;
  try {
    text = storage().getItem(PREFIX + key);
    return text === null ? null : read(JSON.parse(text));
  } catch (error) {
    console.warn(`${key} is damaged and set aside`, error);
    if (text !== null) setAside(storage(), key, text);
    return null;
  }
}

function setAside(storage: Storage, key: string, text: string): void {
  notice(key === 'game' ? 'storage.game' : 'storage.something');
  writeTo(() => localStorage, `${PREFIX}damaged.${key}`, text);
  try {
    storage.removeItem(PREFIX + key);
  } catch {
    // Nothing more can be done.
  }
}

function writeTo(storage: () => Storage, key: string, text: string): boolean {
  if (isEmbedded) return true;
  try {
    storage().setItem(key, text);
    return true;
  } catch (error) {
    console.warn(`${key} could not be kept`, error);
    return false;
  }
}
