// The languages of the page. A new one: copy `en.json`, translate it, and add a line here.
import type { Messages } from './catalogue';
import en from './en.json';

interface Told {
  /** The name that its speakers give it. */
  name: string;
  /** Whose forms numbers, dates and lists have. */
  forms: string;
  messages: () => Messages | Promise<{ default: Messages }>;
}

/** English is part of the page; the others are fetched when they are wanted. */
export const LANGUAGES = {
  en: { name: 'English', forms: 'en-GB', messages: () => en },
  it: { name: 'Italiano', forms: 'it', messages: () => import('./it.json') },
} satisfies Record<string, Told>;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(id: string): id is Language {
  return Object.hasOwn(LANGUAGES, id);
}

/** The first language that somebody wants and the page has. */
export function preferred(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]!).find(isLanguage) ?? 'en';
}

export async function messagesOf(language: Language): Promise<Messages> {
  const told: object = await LANGUAGES[language].messages();
  return 'default' in told ? (told.default as Messages) : (told as Messages);
}
