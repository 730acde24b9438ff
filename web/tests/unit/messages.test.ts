// Every language says all that English says, with the same placeholders, and nothing that nobody asks for.
import assert from 'node:assert/strict';
import test from 'node:test';
import { games } from '../../src/games';
import { language, list, number, percent, phrase, phraseParts } from '../../src/messages';
import { flat, type Message } from '../../src/messages/catalogue';
import en from '../../src/messages/en.json';
import { isLanguage, LANGUAGES, messagesOf, preferred } from '../../src/messages/languages';
import { speak } from '../../src/messages/speak';
import { levelOf } from '../../src/play/levels';

const SOURCES = Object.values(
  import.meta.glob<string>(['../../src/**/*.{ts,tsx}', '!../../src/{schema,messages/keys}.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');

const textsOf = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message));

/** All names in braces, each once, in the order of the alphabet. */
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();

/** A singular may leave its number out. */
const withoutCount = (names: string[]) => names.filter((name) => name !== 'count');

for (const id of Object.keys(LANGUAGES).filter(isLanguage)) {
  test(`${id} has the messages of English, with the same placeholders`, async () => {
    const english = flat(en);
    const own = flat(await messagesOf(id));
    assert.deepEqual([...own.keys()].sort(), [...english.keys()].sort());
    for (const [key, message] of own) {
      const original = english.get(key)!;
      assert.equal(typeof message, typeof original, `${key} is a plural in one language alone`);
      const wanted = placeholders(textsOf(original).join(' '));
      for (const text of textsOf(message)) {
        assert.notEqual(text.trim(), '', key);
        if (typeof message === 'string') assert.deepEqual(placeholders(text), wanted, key);
        else assert.deepEqual(withoutCount(placeholders(text)), withoutCount(wanted), key);
      }
    }
  });

  test(`plurals in ${id} have the categories of the language`, async () => {
    // Counts on the page never reach a million, for which some languages have a category of its own.
    const rules = new Intl.PluralRules(id);
    const wanted = [...new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)))].sort();
    for (const [key, message] of flat(await messagesOf(id)))
      if (typeof message !== 'string') assert.deepEqual(Object.keys(message).sort(), wanted, key);
  });
}

test('every message is said somewhere', () => {
  const literals = new Set([...SOURCES.matchAll(/'([\w.-]+)'/g)].map(([, text]) => text!));
  // In `tab.${id}` the braces may hold any part of a name.
  const patterns = [...SOURCES.matchAll(/`(\w+\.[^`\n]+)`/g)].map(
    ([, text]) => new RegExp(`^${text!.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[^.]+')}$`),
  );
  for (const key of flat(en).keys())
    assert.ok(literals.has(key) || patterns.some((pattern) => pattern.test(key)), `${key} is never said`);
});

test('the first language that is wanted and known is spoken, without one English', () => {
  assert.equal(preferred(['de-AT', 'it-CH', 'en']), 'it');
  assert.equal(preferred(['de']), 'en');
  assert.equal(preferred([]), 'en');
});

test('numbers, shares and lists are written as the language does, also after a change', async () => {
  assert.deepEqual(
    [number(1234.5, 1), percent(0.541), percent(0.541, 1), list(['a', 'b', 'c'])],
    ['1,234.5', '54%', '54.1%', 'a, b and c'],
  );
  await speak('it');
  assert.equal(language.value, 'it');
  assert.deepEqual(
    [number(12345.5, 1), percent(0.541), percent(0.541, 1), list(['a', 'b', 'c'])],
    ['12.345,5', '54%', '54,1%', 'a, b e c'],
  );
  assert.equal(phrase('tab.play'), 'Gioca');
  await speak('en');
  assert.equal(phrase('tab.play'), 'Play');
  assert.deepEqual(phraseParts('tab.play', {}), ['Play']);
});

test('in English the page says of each level what the engine says', () => {
  for (const { name, note } of games[0]!.strengths) assert.equal(levelOf(name).note, note);
});
