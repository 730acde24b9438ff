// The board in a real browser: turns by mouse, by dragging, by touch and by keyboard, in every family; motion and stillness.
// See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { finger, inFirefox, openPage, run } from './browser.mjs';
import { HUMAN, keptGame, ready } from './game.mjs';

const STARTS = {
  amazons6: '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1',
  iago: '3q2Q3/10/10/Q8q/4sS4/4Ss4/q8Q/10/10/3Q2q3 w m - 0 1',
  damone: '8/8/8/5d2/8/3d4/2D5/7I w - - 0 1',
};

/** A page where two people play from a position. */
async function open(host, variant, options = {}) {
  const kept = keptGame(variant, STARTS[variant], { white: HUMAN, black: HUMAN });
  const opened = await openPage(host, {
    kept,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'no-preference',
    ...options,
  });
  await ready(opened.page);
  return opened;
}

const square = (page, name) => page.locator(`.board-column .cell[data-square="${name}"]`);

async function holds(page, name, what) {
  await page
    .locator(`.board-column .cell[data-square="${name}"][aria-label^="${name}, ${what}"]`)
    .waitFor({ timeout: 30_000 });
}

async function middle(page, name) {
  const { x, y, width, height } = await square(page, name).boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

async function drag(page, from, to) {
  const [a, b] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.mouse.up();
}

await run({
  async 'three clicks are a turn; the square left is free for the fire'(host) {
    const { page, close } = await open(host, 'amazons6');
    await square(page, 'b1').click();
    assert.ok((await page.locator('.cell.move').count()) > 5);
    await square(page, 'b4').click();
    await holds(page, 'b4', 'white amazon');
    await holds(page, 'b1', 'empty, fire here');
    assert.equal(await page.locator('.cell.move').count(), 0);
    await square(page, 'b1').click();
    await holds(page, 'b1', 'arrow');
    await holds(page, 'b4', 'white amazon');
    await page.locator('.cell.own[aria-label*="black"]').first().waitFor();
    await close();
  },

  async 'drags and clicks may be mixed; elsewhere, Escape and the button take a half-turn back'(host) {
    const { page, close } = await open(host, 'amazons6');
    await drag(page, 'b1', 'b4');
    await holds(page, 'b4', 'white amazon');
    await drag(page, 'b4', 'e4');
    await holds(page, 'e4', 'arrow');
    await page.locator('.cell.own[aria-label*="black"]').first().waitFor();
    await drag(page, 'b6', 'c6');
    await holds(page, 'c6', 'black amazon');
    await square(page, 'f1').click();
    await holds(page, 'b6', 'black amazon');
    await drag(page, 'b6', 'c6');
    await holds(page, 'c6', 'black amazon');
    await page.keyboard.press('Escape');
    await holds(page, 'b6', 'black amazon, chosen');
    await page.getByRole('button', { name: 'Let go' }).click();
    assert.equal(await page.locator('[aria-selected="true"]').count(), 0);
    // A piece that is carried over the rim is drawn there as well.
    const rim = await page.locator('.board-column .frame').boundingBox();
    const beside = { x: rim.x + rim.width + 4, y: rim.y + rim.height / 2 - 20, width: 16, height: 40 };
    const empty = await page.screenshot({ clip: beside });
    const from = await middle(page, 'b6');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(beside.x, beside.y + 20, { steps: 3 });
    await page.locator('.held').waitFor();
    assert.ok(!empty.equals(await page.screenshot({ clip: beside })), 'the piece is seen beside the board');
    // A piece that is let go where it cannot stand stays chosen where it was.
    await page.mouse.up();
    await holds(page, 'b6', 'black amazon, chosen');
    await drag(page, 'b6', 'f1');
    await holds(page, 'b6', 'black amazon, chosen');
    await close();
  },

  async 'a turn of Iago turns the board’s own way when it is turned round'(host) {
    const { page, close } = await open(host, 'iago');
    const before = await middle(page, 'a1');
    await page.getByRole('button', { name: 'Turn the board round' }).click();
    const after = await middle(page, 'a1');
    assert.ok(after.x > before.x + 300 && after.y < before.y - 300);
    await square(page, 'd1').click();
    await square(page, 'd5').click();
    await holds(page, 'd5', 'white amazon');
    await holds(page, 'd1', 'empty');
    await close();
  },

  async 'a capture goes square by square and only legal ways are lit'(host) {
    const { page, close } = await open(host, 'damone');
    assert.deepEqual(await page.locator('.cell.own').evaluateAll((all) => all.map((e) => e.dataset.square)), [
      'c2',
    ]);
    await square(page, 'c2').click();
    assert.deepEqual(
      await page.locator('.cell.move').evaluateAll((all) => all.map((e) => e.dataset.square)),
      ['e4'],
    );
    await square(page, 'e4').click();
    await holds(page, 'e4', 'white dama');
    assert.equal(await page.locator('.piece-place.taken').count(), 1);
    await square(page, 'g6').click();
    await holds(page, 'g6', 'white dama');
    await holds(page, 'd3', 'empty');
    await holds(page, 'f5', 'empty');
    await close();
  },

  async 'a whole turn by keyboard, with words'(host) {
    const { page, close } = await open(host, 'amazons6');
    assert.equal(await page.locator('.board-column [role="gridcell"][tabindex="0"]').count(), 1);
    await page.locator('.board-column [role="gridcell"][tabindex="0"]').focus();
    const focus = () => page.evaluate(() => document.activeElement.getAttribute('data-square'));
    await page.keyboard.press('ArrowRight');
    assert.equal(await focus(), 'b1');
    await page.keyboard.press('Enter');
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Space', 'Home']) await page.keyboard.press(key);
    assert.equal(await focus(), 'a4');
    await page
      .locator('[aria-live]', { hasText: 'Choose where it fires' })
      .first()
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await holds(page, 'b1', 'white amazon, chosen');
    for (const key of ['ArrowRight', 'Enter', 'n', 'Enter']) await page.keyboard.press(key);
    await page.locator('.cell.own[aria-label*="black"]').first().waitFor();
    assert.equal(await page.locator('.board-column [role="gridcell"][tabindex="0"]').count(), 1);
    await close();
  },

  async 'arrows step after a press on the board and a turn by mouse, and walk where a key led to it'(host) {
    const { page, close } = await open(host, 'amazons6');
    const at = (words) => page.locator('.turn[aria-current]', { hasText: words }).waitFor();
    for (const name of ['b1', 'b4', 'c4']) await square(page, name).click();
    await at('b1–b4');
    await page.keyboard.press('ArrowLeft');
    await at('Start');
    await square(page, 'd4').click();
    await page.keyboard.press('ArrowRight');
    await at('b1–b4');
    await page.keyboard.press('Home');
    await at('Start');
    assert.equal(await page.locator('.board.ringed').count(), 0);
    await page.keyboard.press('b');
    await page.locator('.board.ringed').waitFor();
    await page.keyboard.press('ArrowRight');
    await at('Start');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.square), 'e4');
    await page.getByText('White to move.').click();
    await page.keyboard.press('ArrowRight');
    await at('b1–b4');
    await close();
  },

  async 'a turn by touch on a phone, without scrolling to the side'(host) {
    const { page, close } = await open(host, 'amazons6', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: !inFirefox,
    });
    for (const name of ['b1', 'b4', 'e4']) {
      const { x, y } = await middle(page, name);
      await finger(page, [x, y]);
    }
    await holds(page, 'e4', 'arrow');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const board = await page.locator('.board-column .board').boundingBox();
    // Some browsers have a bar for scrolling beside the page.
    const room = await page.evaluate(() => document.documentElement.clientWidth);
    assert.ok(board.width > room - 10, `the board is ${board.width} wide`);
    await close();
  },

  async 'turns are animated, unless people do not want it'(host) {
    for (const [options, animation, moves] of [
      [{}, true, true],
      [{ reducedMotion: 'reduce' }, true, false],
      [{}, false, false],
    ]) {
      const { page, close } = await open(host, 'amazons6', options);
      await page.evaluate((on) => {
        localStorage.setItem('hippolyta.v1.settings', JSON.stringify({ animation: on }));
      }, animation);
      await page.reload();
      await page.locator('.board-column .cell.own').first().waitFor();
      await page.evaluate(() => {
        window.seen = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...all) {
          window.seen += 1;
          return animate.apply(this, all);
        };
      });
      for (const name of ['b1', 'b4', 'e4']) await square(page, name).click();
      await holds(page, 'e4', 'arrow');
      const seen = await page.evaluate(() => window.seen);
      assert.equal(seen > 0, moves, `${seen} animations with ${JSON.stringify(options)}, ${animation}`);
      // When all is over every piece stands in the middle of its square.
      await page.waitForTimeout(700);
      const off = await page.locator('.piece-place:not(.leaving)').evaluateAll(
        (all) =>
          all.filter((piece) => {
            const cell = document
              .querySelector(`.cell[data-square="${piece.dataset.at}"]`)
              .getBoundingClientRect();
            const drawn = piece.getBoundingClientRect();
            return Math.abs(cell.x + cell.width / 2 - drawn.x - drawn.width / 2) > 3;
          }).length,
      );
      assert.equal(off, 0);
      await close();
    }
  },

  async 'three themes, and the page fits the window while playing'(host) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 1920, height: 1080 },
      { width: 1024, height: 768 },
    ]) {
      const { page, close } = await open(host, 'amazons6', { viewport, colorScheme: 'light' });
      const fits = () =>
        page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return scrollWidth <= innerWidth && scrollHeight <= innerHeight;
        });
      assert.ok(await fits(), JSON.stringify(viewport));
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ground();
      await page.getByRole('button', { name: 'Settings' }).click();
      const choose = (theme) => page.locator('.settings label', { hasText: theme }).click();
      await choose('Dark');
      const dark = await ground();
      assert.notEqual(light, dark);
      if (!inFirefox) await page.emulateMedia({ colorScheme: 'dark' });
      await choose('Light');
      assert.equal(await ground(), light);
      await choose('As the system');
      assert.equal(await ground(), inFirefox ? light : dark);
      await close();
    }
  },
});
