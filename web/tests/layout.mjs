// The page in windows of every shape: nothing is wider than the window, and the board is seen whole.
// See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { inFirefox, openPage, run } from './browser.mjs';
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

async function assertWhole(page, parts) {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const part of parts)
      assert.ok(
        await page
          .locator(part)
          .first()
          .evaluate((element) => element.scrollWidth <= element.clientWidth),
        `${part} is cut off at ${width} pixels`,
      );
  }
}

const kept = (more) =>
  keptGame('amazons6', '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', { white: HUMAN, black: HUMAN }, more);

/** Windows of every shape, one in the light and the next in the dark theme, in the tabs with the board of the game. */
const WIDTHS = [320, 390, 640, 768, 1024, 1920, 2560];
const HEIGHTS = [360, 640, 800, 1024, 1366, 1600];

/** In the page: what is wrong in this window. `next` are the parts by tab that must be seen. */
async function faultsHere([theme, next]) {
  const faults = [];
  document.documentElement.dataset.theme = theme;
  for (const [at, part] of next.entries()) {
    const tab = document.querySelectorAll('.top nav button')[at];
    tab.click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    scrollTo(0, 0);
    const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
    const [board, foot, bar, frame] = [
      '.board-row .board',
      '.board-foot',
      '.eval-bar',
      '.board-row .frame',
    ].map(box);
    const expect = (holds, what) => holds || faults.push(`${tab.textContent}: ${what}`);
    const near = (one, other) => Math.abs(one - other) <= 1;
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth <= clientWidth, `${scrollWidth - clientWidth} pixels too wide`);
    const gap = foot.top - board.bottom;
    expect(gap >= -1 && gap < 16, `the foot stands ${gap} below the board`);
    expect(near(board.width, board.height), `a board of ${board.width}×${board.height}`);
    expect(foot.width > board.width - 1, `a foot of ${foot.width} under ${board.width}`);
    if (bar && bar.height > bar.width)
      expect(near(bar.top, frame.top) && near(bar.bottom, frame.bottom), `a bar of ${bar.height}`);
    else if (bar) expect(near(bar.left, frame.left) && near(bar.right, frame.right), `a bar of ${bar.width}`);
    const tabs = document.querySelector('.top nav');
    const high = innerHeight - (getComputedStyle(tabs).position === 'fixed' ? tabs.offsetHeight : 0);
    for (const seen of ['.board', '.board-foot', high > 400 ? part : '.board']) {
      const { top, bottom } = box(seen) ?? {};
      expect(top >= 0 && bottom <= high + 1, `${seen} from ${top} to ${bottom} of ${high}`);
    }
  }
  return faults;
}

await run({
  async 'in every window bar and board are of one length, and what is next is in sight'(host) {
    const begun = kept({ control: { start: 600_000, increment: 5000 } });
    begun.game.tree.root.c = [{ t: 'b1b4,b4c4' }];
    begun.game.tip = [0];
    const { page, close } = await openPage(host, { kept: { ...begun, analysis: { depth: 'off' } } });
    await ready(page);
    const next = ['.player:last-child', '.verdict', '.review-start .primary'];
    // Firefox takes much longer over each.
    for (const width of WIDTHS.filter((_, x) => !inFirefox || x % 2 === 0)) {
      for (const [y, height] of HEIGHTS.entries()) {
        const theme = y % 2 === 0 ? 'light' : 'dark';
        await page.setViewportSize({ width, height });
        assert.deepEqual(
          await page.evaluate(faultsHere, [theme, next]),
          [],
          `${theme} at ${width}×${height}`,
        );
      }
    }
    await close();
  },

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

  async 'at a desk a lesson and a problem have the board of a game, and the column beside it is used'(host) {
    const { page, close } = await openPage(host, { viewport: { width: 1280, height: 800 }, kept: kept() });
    await ready(page);
    const { size } = await box(page.locator('.board'));
    for (const name of ['Learn', 'Problems']) {
      await page.getByRole('button', { name, exact: true }).click();
      const [board, contents] = [page.locator('.lesson-board .board'), page.locator('.learn-contents')];
      await board.waitFor();
      assert.ok((await box(board)).size > size - 8, `${name}: a smaller board`);
      assert.ok((await box(contents)).left > (await box(board)).right, `${name}: not beside the board`);
      await assertSeen(page, contents, name);
    }
    await close();
  },

  async 'what the analysis says is read whole, on a phone and at a desk'(host) {
    const { page, close } = await openPage(host, { kept: kept() });
    await page.getByRole('button', { name: 'Analyse', exact: true }).click();
    await page.locator('.shares', { hasText: '±' }).waitFor();
    await assertWhole(page, ['.shares', '.effort']);
    await close();
    const won = keptGame('amazons', 'q2/3/2Q w - - 0 1', { white: HUMAN, black: HUMAN });
    const proven = await openPage(host, { kept: won });
    await proven.page.getByRole('button', { name: 'Analyse', exact: true }).click();
    await proven.page.getByText('White wins in 4', { exact: true }).first().waitFor();
    await assertWhole(proven.page, ['.verdict h2', '.line-value', '.effort']);
    await proven.close();
    // Where games may be drawn, a line says why its value is not the share of wins beside the board.
    const begun = keptGame('damone', 'i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1', {
      white: HUMAN,
      black: HUMAN,
    });
    const drawn = await openPage(host, { kept: begun });
    await drawn.page.getByRole('button', { name: 'Analyse', exact: true }).click();
    const value = drawn.page.locator('.line-value').first();
    await value.waitFor();
    assert.match(await value.getAttribute('title'), /draw (under )?\d+%, counted half/);
    await drawn.close();
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

  async 'on a phone a finger finds what is pressed'(host) {
    if (inFirefox) return 'Chromium alone does it';
    const phone = { width: 390, height: 844 };
    const { page, close } = await openPage(host, {
      kept: kept(),
      viewport: phone,
      hasTouch: true,
      isMobile: true,
    });
    await ready(page);
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('button:not(.turn, .link), select, summary, label:has(input)')]
          .map((one) => [one.getBoundingClientRect(), one])
          .filter(
            ([{ width, height }, one]) => one.checkVisibility() && width > 1 && Math.min(width, height) < 43,
          )
          .map(([{ width, height }, one]) => `${one.ariaLabel ?? one.textContent}: ${width}×${height}`),
      );
    for (const name of ['Play', 'Analyse', 'Review', 'Learn', 'Problems']) {
      await page.getByRole('button', { name, exact: true }).tap();
      await page.locator('main .board').first().waitFor();
      assert.deepEqual(await small(), [], name);
    }
    for (const name of ['New game', 'Settings']) {
      await page.getByRole('button', { name: 'Play', exact: true }).tap();
      await page.getByRole('button', { name, exact: true }).tap();
      assert.deepEqual(await small(), [], name);
      await page.keyboard.press('Escape');
    }
    await close();
  },

  async 'the line under a narrow board is one line'(host) {
    const narrow = keptGame('amazons', 'q1q/3/3/3/3/3/3/3/Q1Q w - - 0 1', { white: HUMAN, black: HUMAN });
    const { page, close } = await openPage(host, { kept: narrow, viewport: { width: 1280, height: 800 } });
    await ready(page);
    assert.ok((await box(page.locator('.board-prompt'))).size < 30);
    await close();
  },

  async 'another part of the page begins at its beginning'(host) {
    for (const width of [390, 1280]) {
      const { page, close } = await openPage(host, { kept: kept(), viewport: { width, height: 500 } });
      const scrolled = () =>
        page.evaluate(() => [scrollY, document.querySelector('.side-column').scrollTop].map(Math.round));
      await page.getByRole('button', { name: 'Review', exact: true }).click();
      await page.locator('.panel.review').evaluate((panel) => {
        panel.style.minHeight = '100rem';
        for (const one of [document.documentElement, panel.parentElement]) one.scrollTop = 200;
      });
      assert.ok((await scrolled()).includes(200));
      await page.getByRole('button', { name: 'Analyse', exact: true }).click();
      await page.locator('.best-line').first().waitFor();
      assert.deepEqual(await scrolled(), [0, 0]);
      await close();
    }
  },

  async 'on a small phone a first visitor sees the way to the lessons'(host) {
    const { page, close } = await openPage(host, { viewport: { width: 360, height: 640 } });
    await assertSeen(
      page,
      page.getByRole('button', { name: 'Learn in two minutes' }),
      'the way to the lessons',
    );
    await close();
  },
});
