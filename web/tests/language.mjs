// The page in other languages than English. See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openPage, run } from './browser.mjs';
import { engine, HUMAN, inMenu, keptBy, keptGame, place, ready, until } from './game.mjs';

const FEN = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';

const read = (name) => JSON.parse(readFileSync(new URL(`../src/messages/${name}.json`, import.meta.url)));

/** The texts of a file of messages, each piece between placeholders by itself. */
function pieces(messages, found = new Set()) {
  for (const value of Object.values(messages)) {
    if (typeof value !== 'string') pieces(value, found);
    else
      for (const piece of value.split(/\{\w+\}/))
        found.add(piece.trim().replace(/^[\s.,:;·]+|[\s.,:;·]+$/g, ''));
  }
  return found;
}

const own = pieces(read('it'));
/** Pieces that only English has; short ones may be part of anything. */
const ENGLISH = [...pieces(read('en'))].filter((piece) => /[a-z]{3}/i.test(piece) && !own.has(piece));

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Single words may be words of other languages, too: they count where they stand alone. */
const alone = new Set(ENGLISH.filter((piece) => !piece.includes(' ')));
const phrases = ENGLISH.filter((piece) => piece.includes(' '));
const stands = (piece, text) => new RegExp(`(?<!\\p{L})${escaped(piece)}(?!\\p{L})`, 'u').test(text);
const isEnglish = (text) =>
  alone.has(text) || phrases.some((piece) => text.includes(piece) && stands(piece, text));

/** All that is read on the page, by eye or by ear. */
const texts = (page) =>
  page.evaluate(() => {
    const found = [document.title];
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = all.nextNode(); node; node = all.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (element.closest('[lang="en"], .typed, script, style')) continue;
      if (node instanceof Text) found.push(node.data);
      else
        for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'alt'])
          found.push(node.getAttribute(name) ?? '');
    }
    return [...new Set(found.map((text) => text.trim()).filter(Boolean))];
  });

async function allItalian(page, where) {
  assert.deepEqual((await texts(page)).filter(isEnglish), [], where);
}

const lang = (page) => page.evaluate(() => document.documentElement.lang);
const tab = (page, name) =>
  page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();
const press = (page, name) => page.getByRole('button', { name, exact: true }).first().click();

async function leave(page) {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

function open(host, players, settings = {}, options = {}) {
  const kept = keptGame('amazons6', FEN, players, settings);
  kept.game.tree.root.c = [{ t: 'b1b4,b4c4', c: [{ t: 'b6b5,b5c5' }] }];
  kept.game.tip = [0, 0];
  return openPage(host, { kept, locale: 'it-IT', ...options });
}

const people = { white: HUMAN, black: HUMAN };

await run({
  async 'an Italian browser gets the page in Italian, any other in English'(host) {
    for (const [locale, language, name] of [
      ['it-IT', 'it', 'Esercizi'],
      ['de-AT', 'en', 'Problems'],
    ]) {
      const { page, close } = await openPage(host, { locale });
      await page.getByRole('navigation').getByRole('button', { name, exact: true }).waitFor();
      assert.equal(await lang(page), language);
      await close();
    }
  },

  async 'without its messages the page is in English'({ browser, url }) {
    const context = await browser.newContext({ locale: 'it-IT' });
    const page = await context.newPage();
    await page.route('**/assets/it-*.js', (route) => route.abort());
    await page.goto(url);
    await page.getByRole('navigation').getByRole('button', { name: 'Problems', exact: true }).waitFor();
    assert.equal(await lang(page), 'en');
    await context.close();
  },

  async 'the language is changed in the settings, at once, and is kept over a reload'(host) {
    const { page, close } = await openPage(host, { locale: 'en-GB' });
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Language').selectOption('it');
    await page.getByRole('heading', { name: 'Impostazioni' }).waitFor();
    assert.equal(await lang(page), 'it');
    await allItalian(page, 'after the change');
    await page.reload();
    await page.getByRole('button', { name: 'Impostazioni' }).click();
    await page.getByLabel('Lingua').selectOption('browser');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    assert.equal(await lang(page), 'en');
    await close();
  },

  async 'no English word is left in a game, its dialogs and its end'(host) {
    const { page, close } = await open(
      host,
      { white: HUMAN, black: engine('beginner') },
      { control: { start: 600_000, increment: 5000 } },
    );
    await ready(page);
    await allItalian(page, 'a game');
    await press(page, 'Suggerimento');
    await page.locator('.turn-arrow.hint').waitFor();
    for (const square of ['a2', 'a3', 'a4']) await page.mouse.click(...(await place(page, square)));
    await until('the engine answers', async () => (await keptBy(page)).turns.length === 4);
    await allItalian(page, 'a game that goes on');
    for (const name of [
      'Nuova partita',
      'Tasti',
      'Impostazioni',
      'Importa ed esporta',
      'Imposta una posizione',
    ]) {
      if (/^Imp.* /.test(name)) await inMenu(page, name, 'Altro');
      else await press(page, name);
      await page.getByRole('dialog', { name }).waitFor();
      await page.waitForTimeout(300);
      await allItalian(page, name);
      if (name === 'Importa ed esporta') {
        await page.getByRole('tab', { name: 'Importa' }).click();
        await page.getByRole('textbox').fill('1. d1d7,d7g7 a7b7,b7c7');
        await page.locator('.found').waitFor();
        await allItalian(page, 'an import');
      }
      await leave(page);
    }
    await press(page, 'Abbandona');
    await page.getByRole('dialog', { name: 'Abbandonare?' }).waitFor();
    await allItalian(page, 'resigning');
    await page.getByRole('dialog').getByRole('button', { name: 'Abbandona' }).click();
    await page.getByRole('heading', { name: 'Hai perso' }).waitFor();
    await allItalian(page, 'the end');
    await press(page, 'Nuova partita');
    await page.getByRole('button', { name: 'Inizia la partita' }).click();
    await inMenu(page, 'Le tue partite', 'Altro');
    await page.getByRole('dialog', { name: 'Le tue partite' }).waitFor();
    await allItalian(page, 'the games that are kept');
    await close();
  },

  async 'no English word is left in analysis and review'(host) {
    const { page, close } = await open(host, people);
    await ready(page);
    await tab(page, 'Analisi');
    await page.locator('.best-line').first().waitFor();
    for (const box of await page.locator('.switches input').all()) await box.check();
    await page.locator('.effort', { hasText: 'nodi' }).waitFor();
    await allItalian(page, 'analysis');
    await page.locator('.explorer summary', { hasText: 'Aperture' }).click();
    await page.waitForTimeout(300);
    await allItalian(page, 'openings');
    await tab(page, 'Revisione');
    await press(page, 'Rivedi la partita');
    await page.getByText(/^Tutte le \d+ posizioni/).waitFor();
    await page.locator('.mistake-item').last().click();
    await allItalian(page, 'a mistake');
    await press(page, 'Mostra la risposta');
    await page.getByText('La migliore era').first().waitFor();
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await allItalian(page, 'a review');
    // Numbers, too, are as the language writes them.
    assert.match(await page.locator('.summary').textContent(), /\d+,\d%/);
    await close();
  },

  async 'no English word is left in lessons'(host) {
    const { page, close } = await open(host, people);
    await ready(page);
    for (const id of ['amazons-move', 'amazons-count', 'desdemona-flip', 'damone-draw']) {
      await page.evaluate((to) => {
        location.hash = `#/learn/${to}`;
      }, id);
      await page.locator('.lesson .board').waitFor();
      await page.waitForTimeout(200);
      await allItalian(page, id);
    }
    await page.locator('.lesson .cell.own').first().waitFor();
    for (const square of ['g2', 'h3']) await page.locator(`.lesson .cell[data-square="${square}"]`).click();
    await page.locator('.lesson .verdict').waitFor();
    await allItalian(page, 'a wrong answer');
    await close();
  },

  async 'no English word is left in problems'(host) {
    const { page, close } = await open(host, people);
    await ready(page);
    await tab(page, 'Esercizi');
    await page.locator('.lesson .cell.own').first().waitFor();
    await allItalian(page, 'a problem');
    await press(page, 'Suggerimento');
    await allItalian(page, 'a hint');
    await press(page, 'Mostra la soluzione');
    await page.getByRole('heading', { name: 'Soluzione' }).waitFor();
    await allItalian(page, 'a solution');
    await close();
  },

  async 'text mode takes its commands in Italian and in English'(host) {
    const { page, close } = await open(host, people, { textMode: true });
    const answers = async (typed, expected) => {
      await page.locator('#command').fill(typed);
      await page.keyboard.press('Enter');
      await page.locator('.text-answers li', { hasText: expected }).first().waitFor();
    };
    await page.locator('.text-board [data-square="c5"]', { hasText: 'freccia' }).waitFor();
    await answers('pezzi', 'Amazzoni bianche: ');
    await answers('pieces', 'Amazzoni nere: ');
    await answers('traversa 4', 'freccia');
    await answers('turno', 'Muove il Bianco.');
    await answers('a2a3,a3a4', 'Bianco: da a2 a a3, tira in a4.');
    await answers('valuta', /%|dimostrat/);
    await answers('aiuto', 'scacchiera: la scacchiera');
    await page.locator('.text-pieces summary').click();
    await allItalian(page, 'text mode');
    await close();
  },

  async 'in Italian nothing is wider than the window'(host) {
    const { page, close } = await open(host, people);
    await ready(page);
    for (const name of ['Gioca', 'Analisi', 'Revisione', 'Impara', 'Esercizi']) {
      await tab(page, name);
      await page.locator('main .board').first().waitFor();
      for (const [width, height] of [
        [360, 640],
        [640, 360],
        [700, 900],
        [768, 1024],
        [1280, 800],
      ]) {
        await page.setViewportSize({ width, height });
        const over = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        });
        assert.ok(over <= 0, `${name} at ${width}×${height}: ${over} pixels too wide`);
      }
      const cut = await page
        .locator('.top nav button')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
        );
      assert.deepEqual(cut, []);
    }
    await close();
  },
});
