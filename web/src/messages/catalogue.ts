// The language that the page speaks now, and its messages. English is there from the start.
import { computed, signal } from '@preact/signals';
import en from './en.json';
import { LANGUAGES, type Language, type Messages } from './languages';

/** A message, or one for each category of plurals. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

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

const english = flat(en);
const current = signal<{ language: Language; messages: Map<string, Message> }>({
  language: 'en',
  messages: english,
});

export const language = computed(() => current.value.language);

export function messageNamed(name: string): Message {
  return current.value.messages.get(name) ?? english.get(name) ?? name;
}

let wanted: Language = 'en';

/** Changes the language, as soon as its messages are here. Without them the page goes on as before. */
export async function speak(to: Language): Promise<void> {
  wanted = to;
  try {
    const told = await LANGUAGES[to].messages();
    const messages = flat('default' in told ? (told.default as Messages) : told);
    if (wanted === to) current.value = { language: to, messages };
  } catch (error) {
    console.warn(`no messages in ${to}`, error);
  }
}
