// Whether everybody can use the page: axe-core on every part of it, light and dark; the keyboard; forced colours.
// See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inFirefox, openPage, run } from './browser.mjs';
import { engine, HUMAN, inMenu, keptGame, place, ready } from './game.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FEN = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';

const tab = (page, name) =>
  page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();
const press = (page, name) => page.getByRole('button', { name, exact: true }).first().click();
const heading = (page, name) => page.getByRole('heading', { name }).waitFor();
const closed = (page) => page.locator('dialog').waitFor({ state: 'detached' });

/** A game of two people on the small board, two turns old; the second is a blunder. */
function open(host, options = {}) {
  const kept = keptGame('amazons6', FEN, { white: HUMAN, black: HUMAN });
  kept.game.tree.root.c = [{ t: 'b1b4,b4c4', c: [{ t: 'b6b5,b5c5' }] }];
  kept.game.tip = [0, 0];
  // One that was played before.
  const [id, players] = ['mwytho3y0bh9bc', { white: HUMAN, black: engine('club') }];
  const ending = { winner: 'white', reason: 'resigned' };
  kept[`games.${id}`] = { ...kept.game, id, ending, setup: { ...kept.game.setup, players } };
  return openPage(host, { kept, ...options });
}

const go = (page, hash) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** The ways to the parts of the page, one after another. What is open at the end of one is closed before the next. */
const PARTS = {
  async play() {},
  async resign(page) {
    await press(page, 'Resign');
    await heading(page, 'Resign?');
  },
  async link(page) {
    await go(page, '#v=amazons&f=3q/2*1/Q3_w_-_-_0_1');
    await heading(page, 'Open the game of this link?');
  },
  async 'bad link'(page) {
    await go(page, '#v=chess');
    await heading(page, 'About this link');
  },
  async 'new game'(page) {
    await press(page, 'New game');
    await heading(page, 'New game');
  },
  async keys(page) {
    await press(page, 'Keys');
    await heading(page, 'Keys');
  },
  async settings(page) {
    await press(page, 'Settings');
    await heading(page, 'Settings');
  },
  async editor(page) {
    await inMenu(page, 'Set up a position');
    await page.locator('.editor-squares .cell').first().waitFor();
  },
  async export(page) {
    await inMenu(page, 'Import and export');
    await page.getByRole('tabpanel').waitFor();
  },
  async import(page) {
    await inMenu(page, 'Import and export');
    await page.getByRole('tab', { name: 'Import' }).click();
  },
  async games(page) {
    await inMenu(page, 'Your games');
    await heading(page, 'Your games');
    await press(page, 'Delete all');
  },
  async analyse(page) {
    await tab(page, 'Analyse');
    await page.locator('.best-line').first().waitFor();
  },
  async openings(page) {
    await page.locator('.explorer summary').click();
    await page.keyboard.press('Home');
    await page.locator('.explorer tbody tr').first().waitFor();
  },
  async review(page) {
    await tab(page, 'Review');
    await press(page, 'Review the game');
    await page.getByText(/^All \d+ positions/).waitFor();
  },
  async 'try again'(page) {
    await page.locator('.mistake-item').last().click();
    await press(page, 'Show the answer');
    await page.getByText('Best was').first().waitFor();
  },
  async 'own problem'(page) {
    await page.getByRole('button', { name: /^Make \d problems? of th/ }).click();
    await press(page, 'Solve them');
    await heading(page, 'Problem 1');
    await page.locator('.lesson .cell.own').first().waitFor();
  },
  learn: (page) => tab(page, 'Learn'),
  async problems(page) {
    await tab(page, 'Problems');
    await press(page, 'Show the solution');
    await heading(page, 'Solution');
  },
  async 'text mode'(page) {
    await tab(page, 'Play');
    await page.keyboard.press('t');
    await page.locator('.text-mode').waitFor();
  },
};

async function check(host, colorScheme) {
  if (inFirefox) return 'Chromium alone does it';
  const { page, close } = await open(host, { colorScheme });
  await ready(page);
  // Not by a script element: the page's own policy would refuse it.
  await page.evaluate(AXE);
  const found = [];
  for (const [part, way] of Object.entries(PARTS)) {
    await way(page);
    const violations = await page.evaluate(async () => (await window.axe.run(document)).violations);
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        found.push(
          `${part}: ${id} (${impact}) at ${nodes
            .slice(0, 3)
            .map((node) => node.target.join(' '))
            .join(', ')}`,
        );
    if ((await page.locator('dialog').count()) > 0) await page.keyboard.press('Escape');
    await closed(page);
  }
  await close();
  if (found.length > 0) throw new Error(found.join('\n     '));
}

/** Presses Tab until the focus is in what the selector names; says how often it stopped there. */
async function tabThrough(page, selector) {
  let stops = 0;
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const inside = await page.evaluate((what) => !!document.activeElement?.closest(what), selector);
    if (inside) stops += 1;
    else if (stops > 0) return stops;
  }
  return stops;
}

await run({
  'axe finds nothing serious in the light': (host) => check(host, 'light'),
  'axe finds nothing serious in the dark': (host) => check(host, 'dark'),

  async 'Tab stops once at the board, and a ring shows where, but not to those who use a mouse'(host) {
    const { page, close } = await open(host);
    await ready(page);
    const ring = () =>
      page.evaluate(() => {
        const cell = document.activeElement?.closest('.cell')?.querySelector('.ring');
        return cell ? getComputedStyle(cell).strokeWidth : 'no square has the focus';
      });
    assert.equal(await tabThrough(page, '[role="grid"]'), 1);
    await page.keyboard.press('Shift+Tab');
    assert.equal(await ring(), '8px');
    await page.keyboard.press('ArrowRight');
    const square = () => page.evaluate(() => document.activeElement?.getAttribute('data-square'));
    assert.equal(await square(), 'b1');
    assert.equal(await ring(), '8px');
    // Back where one was, not to the corner.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await square(), 'b1');
    await page.mouse.click(...(await place(page, 'd4')));
    await page.keyboard.press('f');
    assert.equal(await square(), 'd4');
    assert.equal(await ring(), '6px');
    await page.keyboard.press('b');
    assert.equal(await ring(), '8px');
    await page.keyboard.press('ArrowRight');
    assert.equal(await ring(), '8px');
    await close();
  },

  async 'a dialog has the focus on its first control of use, and Enter does not close it'(host) {
    const { page, close } = await open(host);
    await ready(page);
    const focus = () =>
      page.evaluate(() => {
        const at = document.activeElement;
        return at?.closest('label')?.textContent || at?.textContent || at?.getAttribute('aria-label');
      });
    for (const [key, name, control] of [
      ['?', 'Keys', 'Settings'],
      ['r', 'Resign?', 'Play on'],
      ['g', 'New game', 'Amazons 6×6a quick game on 6×6, good for a first try'],
    ]) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      assert.equal(await focus(), control);
      if (key === 'g') break;
      await page.keyboard.press('Escape');
      await closed(page);
    }
    // From the form's first field Enter begins the game that the form describes.
    await page.keyboard.press('Enter');
    await closed(page);
    await page.getByText('No turn has been played yet.').waitFor();
    await close();
  },

  async 'under forced colours the sides differ, and what is chosen is framed'(host) {
    const { page, close } = await open(host, { forcedColors: 'active' });
    await ready(page);
    const style = (selector, name) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, what) => getComputedStyle(element)[what], name);
    assert.notEqual(
      await style('.side-mark.white', 'backgroundColor'),
      await style('.side-mark.black', 'backgroundColor'),
    );
    assert.equal(await style('.player.to-move', 'outlineStyle'), 'solid');
    await tab(page, 'Analyse');
    await page.locator('.best-line').first().waitFor();
    assert.notEqual(
      await style('.eval-part.white', 'backgroundColor'),
      await style('.eval-part.black', 'backgroundColor'),
    );
    assert.equal(await style('.segments [aria-pressed="true"]', 'outlineStyle'), 'solid');
    assert.equal(await style('.segments [aria-pressed="false"]', 'outlineStyle'), 'none');
    await close();
  },
});
