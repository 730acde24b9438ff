// The page in windows of every shape: nothing is wider than the window, and the board is seen whole.
// See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { openPage, run } from './browser.mjs';
import { HUMAN, keptGame, ready } from './game.mjs';

const SIZES = [
  [360, 640],
  [640, 360],
  [844, 390],
  // 1280×800, enlarged to 200 %.
  [640, 400],
  [700, 900],
  [768, 1024],
  [800, 600],
  [1280, 800],
  [1920, 1080],
  [3840, 2160],
];

const box = (locator) =>
  locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom, size: Math.min(right - left, bottom - top) };
  });

/** The part of the window that is seen: the tabs of a phone lie over its lower end, and a dialog over them. */
const seen = (page) =>
  page.evaluate(() => {
    const tabs = document.querySelector('.top nav');
    const below = getComputedStyle(tabs).position === 'fixed' && !document.querySelector('dialog');
    const over = below ? tabs.offsetHeight : 0;
    return { width: innerWidth, height: innerHeight - over };
  });

async function assertSeen(page, locator, what) {
  const { left, top, right, bottom } = await box(locator);
  const { width, height } = await seen(page);
  assert.ok(
    left >= -1 && top >= -1 && right <= width + 1 && bottom <= height + 1,
    `${what}: ${left},${top} to ${right},${bottom} of ${width}×${height}`,
  );
}

const kept = (more) =>
  keptGame('amazons6', '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', { white: HUMAN, black: HUMAN }, more);

await run({
  async 'in no window anything is wider than it, and the board is whole and large'(host) {
    const { page, close } = await openPage(host, { kept: kept() });
    await ready(page);
    for (const name of ['Play', 'Analyse', 'Review', 'Learn', 'Problems']) {
      await page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();
      const board = page.locator('main .board').first();
      await board.waitFor();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        const where = `${name} at ${width}×${height}`;
        const over = await page.evaluate(() => {
          scrollTo(0, 0);
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        });
        assert.ok(over <= 0, `${where}: ${over} pixels too wide`);
        // A lesson may begin with words.
        if (name === 'Learn' || name === 'Problems')
          await board.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        await assertSeen(page, board, where);
        const { size } = await box(board);
        const room = Math.min(width, height - 130);
        assert.ok(size > 0.6 * room, `${where}: a board of ${size} pixels`);
      }
    }
    await close();
  },

  async 'on a phone a game is begun, and then board and clocks are in sight'(host) {
    const control = { start: 600_000, increment: 5000 };
    for (const viewport of [
      { width: 360, height: 640 },
      { width: 640, height: 360 },
    ]) {
      const { page, close } = await openPage(host, {
        kept: kept({ control }),
        viewport,
        hasTouch: true,
        isMobile: true,
      });
      await ready(page);
      const clocksAreSeen = async () => {
        for (const side of [0, 1]) await assertSeen(page, page.locator('.clock').nth(side), `clock ${side}`);
      };
      await clocksAreSeen();
      await page.getByRole('button', { name: 'New game', exact: true }).tap();
      const start = page.getByRole('dialog').getByRole('button', { name: 'Start game' });
      await assertSeen(page, start, 'Start game');
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/new-${viewport.width}.png` });
      await start.tap();
      await page.locator('dialog').waitFor({ state: 'detached' });
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/game-${viewport.width}.png` });
      await assertSeen(page, page.locator('.board-column .board'), 'board');
      await clocksAreSeen();
      await close();
    }
  },
});
