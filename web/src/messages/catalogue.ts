// The language that is spoken now, and its messages. English is there from the start.
import { computed, signal } from '@preact/signals';
import english from './en.json';

/** A message, or one for each category of plurals. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The messages of a language, as in its file: groups of messages, a plural as an object of its categories. */
export interface Messages {
  readonly [name: string]: string | Messages;
}

export interface Spoken {
  /** As the page's `lang` tells it. */
  language: string;
  /** Whose forms numbers, dates and lists have. */
  forms: string;
  messages: Messages;
}

const isPlural = (value: Messages): value is Record<string, string> => typeof value.other === 'string';

/** The messages by their whole names, as `play.resign`. */
export function flat(messages: Messages, under = ''): Map<string, Message> {
  const found = new Map<string, Message>();
  for (const [name, value] of Object.entries(messages)) {
    if (typeof value === 'string' || isPlural(value)) found.set(under + name, value);
    else for (const [inner, message] of flat(value, `${under}${name}.`)) found.set(inner, message);
  }
  return found;
}

/** @internal */
export const spoken = signal<Spoken>({ language: 'en', forms: 'en-GB', messages: english });
/** @internal */
export const language = computed(() => spoken.value.language);

const inEnglish = flat(english);
const messages = computed(() => flat(spoken.value.messages));

export function messageNamed(name: string): Message {
  return messages.value.get(name) ?? inEnglish.get(name) ?? name;
}
