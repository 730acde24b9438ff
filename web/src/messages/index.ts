// Messages of the page, in the language of the person before it. Code that reads one while a component is drawn, or in
// an effect, follows a change of the language.
import { language, messageNamed } from './catalogue';
import type { Placeholders } from './keys';
import { number } from './numbers';

export { language } from './catalogue';
export { day, list, number, percent } from './numbers';

export type Key = keyof Placeholders;

/** The keys of messages that need nothing more. */
export type PlainKey = { [K in Key]: keyof Placeholders[K] extends never ? K : never }[Key];

type Given<K extends Key> = keyof Placeholders[K] extends never ? [] : [given: Placeholders[K]];

/** A message with its placeholders filled in. Numbers are written as the language does; `count` chooses the plural. */
export function phrase<K extends Key>(key: K, ...[given]: Given<K>): string {
  return partsOf(key, given).map(written).join('');
}

/** A message whose placeholders stand for more than text: its pieces in their order. */
export function phraseParts<K extends Key, T>(
  key: K,
  given: { readonly [P in keyof Placeholders[K]]: T | string | number },
): (T | string)[] {
  return partsOf<T>(key, given).map((part) => (typeof part === 'number' ? number(part) : part));
}

const written = (part: unknown) => (typeof part === 'number' ? number(part) : String(part));

function partsOf<T>(
  key: Key,
  given: Readonly<Record<string, T | string | number>> = {},
): (T | string | number)[] {
  return templateOf(key, given.count)
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 1 ? (given[part] ?? '') : part));
}

function templateOf(key: Key, count: unknown): string {
  const message = messageNamed(key);
  if (typeof message === 'string') return message;
  return message[new Intl.PluralRules(language.value).select(Number(count))] ?? message.other ?? key;
}
