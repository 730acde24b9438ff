// The games that were played on the page, in a real browser. See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openPage, run } from './browser.mjs';
import { closed } from './formats.mjs';
import { engine, HUMAN, inMenu, keptBy, keptGame, ready, until } from './game.mjs';

const START = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
const players = { white: HUMAN, black: engine('casual') };

/** From the rule set's own start, so that its result counts. */
function fromStart(seats = players) {
  const kept = keptGame('amazons6', START, seats);
  kept.game.tree.start = null;
  kept.game.setup.start = null;
  return kept;
}

const button = (page, name) => page.getByRole('button', { name, exact: true });
const dialog = (page) => page.getByRole('dialog', { name: 'Your games' });
const entries = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('hippolyta.v1.games.')));

/** A turn of any kind, and the engine's answer. */
async function turn(page, which = 'first') {
  const { turns } = await keptBy(page);
  for (const kind of ['own', 'move', 'fire'])
    await page.locator(`.board-column .cell.${kind}`)[which]().click();
  await until('the answer', async () => (await keptBy(page)).turns.length === turns.length + 2);
}

async function resign(page) {
  await button(page, 'Resign').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.result').waitFor();
}

async function playAndResign(page) {
  await turn(page);
  await resign(page);
}

async function newGame(page) {
  await button(page, 'New game').click();
  await button(page, 'Start game').click();
  await ready(page);
}

await run({
  async 'an engine as strong as the person follows how the games end'(host) {
    const { page, close } = await openPage(host, { kept: fromStart() });
    await ready(page);
    await button(page, 'New game').click();
    await page.locator('.new-game summary').click();
    const level = page.getByRole('combobox', { name: 'The engine plays as' });
    assert.match(await level.textContent(), /^As strong as you: about 700 ± 600/);
    await level.selectOption('even');
    await button(page, 'Start game').click();
    await page.locator('.player', { hasText: 'Hippolyta, rating 700' }).waitFor();
    await playAndResign(page);
    const rating = /Your rating: (\d+) \(−\d+\)/.exec(await page.locator('.result').textContent())?.[1];
    assert.ok(Number(rating) < 650, rating);
    await button(page, 'Play again').click();
    await page.locator('.player', { hasText: `Hippolyta, rating ${rating}` }).waitFor();
    await close();
  },

  async 'a game is kept when it ends, and is opened again'(host) {
    const { page, close } = await openPage(host, { kept: fromStart() });
    await ready(page);
    await button(page, 'More').click();
    assert.equal(await button(page, 'Your games').count(), 0);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.menu-items').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.title), 'More');
    await playAndResign(page);
    const turns = (await keptBy(page)).turns;
    await newGame(page);
    assert.equal((await entries(page)).length, 1);
    // One that is left is kept, too, and is no result.
    await turn(page);
    await newGame(page);
    await page.reload();
    await inMenu(page, 'Your games');
    await dialog(page).getByRole('heading', { name: '2 games, the newest first' }).waitFor();
    const rows = await dialog(page).locator('tbody tr').allTextContents();
    assert.deepEqual(rows, ['Amazons 6×6Casual0–1']);
    const list = await dialog(page).locator('.kept-list li').allTextContents();
    assert.match(list[0], /^Not finished, against Casual.*2 turns/);
    assert.match(list[1], /^Lost to Casual.*2 turnsWhite resigned\./);
    // It is looked at, and nobody plays on by himself.
    await dialog(page)
      .getByRole('button', { name: /^Analyse: Lost/ })
      .click();
    await closed(page);
    await page.getByRole('region', { name: 'Analysis' }).waitFor();
    assert.deepEqual((await keptBy(page)).turns, turns);
    assert.equal((await keptBy(page)).ending.reason, 'resigned');
    await page.keyboard.press('1');
    await page.locator('.result', { hasText: 'You lose' }).waitFor();
    await inMenu(page, 'Your games');
    await dialog(page)
      .getByRole('button', { name: /^Review: Not finished/ })
      .click();
    await page.locator('nav [aria-current="page"]', { hasText: 'Review' }).waitFor();
    await page.keyboard.press('1');
    await inMenu(page, 'Your games');
    await dialog(page)
      .getByRole('button', { name: /^Go on/ })
      .click();
    await turn(page);
    await close();
  },

  async 'games are saved as one file, deleted, and all of them cleared after a question'(host) {
    const { page, close } = await openPage(host, { kept: fromStart() });
    await playAndResign(page);
    await button(page, 'Play again').click();
    await until('the engine begins', async () => (await keptBy(page)).turns.length === 1);
    await turn(page);
    await resign(page);
    await inMenu(page, 'Your games');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(dialog(page), 'Save all as PGN').click(),
    ]);
    assert.match(download.suggestedFilename(), /^hippolyta-games-\d{4}-\d\d-\d\d\.pgn$/);
    const text = readFileSync(await download.path(), 'utf8');
    assert.equal(text.match(/\[Termination "resignation"\]/g).length, 2);
    assert.match(text, /\[White "Hippolyta \(casual\)"\]/);
    // The focus goes on to the next game.
    await dialog(page)
      .getByRole('button', { name: /^Delete: Lost/ })
      .first()
      .click();
    await dialog(page).getByRole('heading', { name: '1 game' }).waitFor();
    await until('the focus in the list', () =>
      page.evaluate(() => document.activeElement.closest('.kept-list') !== null),
    );
    await button(dialog(page), 'Delete all').click();
    await button(dialog(page), 'Keep them').click();
    assert.equal((await entries(page)).length, 1);
    await button(dialog(page), 'Delete all').click();
    await button(dialog(page), 'Delete it').click();
    await closed(page);
    // The game on the board is not kept again.
    await page.reload();
    await page.locator('.result').waitFor();
    assert.deepEqual(await entries(page), []);
    await close();
  },

  async 'two tabs with the same game keep both of its ends'(host) {
    const { page, context, close } = await openPage(host, { kept: fromStart() });
    await ready(page);
    await turn(page);
    const other = await context.newPage();
    await other.goto(host.url);
    await until('the same game', async () => (await keptBy(other))?.turns.length === 2);
    await playAndResign(page);
    await turn(other, 'last');
    await resign(other);
    await until('both', async () => (await entries(page)).length === 2);
    // The first tab has heard of it.
    await inMenu(page, 'Your games');
    await dialog(page).getByRole('heading', { name: '2 games' }).waitFor();
    await close();
  },

  async 'where there is no room the oldest game is forgotten'(host) {
    const { page, close } = await openPage(host, { kept: fromStart() });
    await ready(page);
    await page.evaluate(() => {
      const game = JSON.parse(localStorage.getItem('hippolyta.v1.game'));
      const entry = (number) => ({ ...game, id: `0000000${number}aaaaaa` });
      for (const number of [1, 2, 3])
        localStorage.setItem(`hippolyta.v1.games.0000000${number}aaaaaa`, JSON.stringify(entry(number)));
      let size = 2 ** 20;
      for (let filler = 0; size >= 1; ) {
        try {
          localStorage.setItem(`filler${filler}`, 'x'.repeat(size));
          filler += 1;
        } catch {
          size = Math.floor(size / 2);
        }
      }
    });
    await playAndResign(page);
    await button(page, 'More').click();
    await button(page, 'Your games').waitFor();
    const left = await entries(page);
    assert.ok(!left.some((key) => key.includes('00000001')), left.join());
    assert.ok(
      left.some((key) => !key.includes('.0000000')),
      left.join(),
    );
    await close();
  },
});
