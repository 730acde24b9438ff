// The messages of the page that the package says: a few groups of many.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../src/messages/', import.meta.url);
const SAID = ['board', 'host', 'piece', 'pieces', 'side', 'turn'];

/** A file of messages without the groups that the package never says. */
export function messagesOf(language) {
  const groups = Object.entries(JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')));
  return Object.fromEntries(groups.filter(([name]) => SAID.includes(name)));
}

export const languages = readdirSync(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
