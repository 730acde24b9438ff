// The settings: each does what it says, and all are kept. See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { inFirefox, openPage, run } from './browser.mjs';
import { HUMAN, keptBy, keptGame, place, ready, until, ways } from './game.mjs';

const FEN = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
const TURN = ['b1', 'b4', 'c4'];

const open = (host, settings = {}, options = {}) =>
  openPage(host, { kept: keptGame('amazons6', FEN, { white: HUMAN, black: HUMAN }, settings), ...options });

async function openSettings(page) {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  return page.getByRole('dialog', { name: 'Settings' });
}

async function leave(page) {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

const choose = async (page, squares) => {
  for (const square of squares) await page.mouse.click(...(await place(page, square)));
};

const kept = (page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('hippolyta.v1.settings') ?? 'null'));

/** Lightness of a colour as WCAG measures it. */
function luminance([red, green, blue]) {
  const part = (value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

await run({
  async 'a turn is played when it is confirmed: by the button, by Enter, on the square itself'(host) {
    const { page, close } = await open(host, { confirm: true });
    await ready(page);
    const turns = async () => (await keptBy(page)).turns.length;
    const confirm = page.getByRole('button', { name: 'Confirm', exact: true });
    await choose(page, TURN);
    await confirm.waitFor();
    assert.equal(await turns(), 0);
    assert.equal(await page.locator('.turn-arrow.ahead').count(), 1);
    // The piece stands where it goes, not where it fires.
    assert.equal(await page.locator('.piece-place[data-at="b4"]').count(), 1);
    // A step back, and the same again.
    await page.keyboard.press('Escape');
    await confirm.waitFor({ state: 'detached' });
    await choose(page, ['c4']);
    await confirm.click();
    await until('the turn is played', async () => (await turns()) === 1);
    await ready(page);
    await choose(page, ['b6', 'b5', 'c5']);
    await confirm.waitFor();
    await page.keyboard.press('Enter');
    await until('the turn is played', async () => (await turns()) === 2);
    // Elsewhere the board is for trying out.
    await page.getByRole('navigation').first().getByRole('button', { name: 'Analyse' }).click();
    await ready(page);
    await choose(page, ['e1', 'e2', 'd2']);
    await page.locator('.turn-list').getByText('e1–e2/d2').waitFor();
    await close();
  },

  async 'by keyboard a turn is confirmed where it ends, and it is said how'(host) {
    const { page, close } = await open(host, { confirm: true });
    await ways.keys(page, TURN);
    await page.getByRole('status').getByText('Confirm the turn with Enter.').waitFor({ state: 'attached' });
    assert.equal((await keptBy(page)).turns.length, 0);
    await page.keyboard.press('Enter');
    await until('the turn is played', async () => (await keptBy(page)).turns.length === 1);
    await close();
  },

  async 'a phone has room for all settings, and for the button that confirms'(host) {
    const { page, close } = await open(
      host,
      { confirm: true },
      { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: !inFirefox },
    );
    await ready(page);
    await choose(page, TURN);
    const button = await page.getByRole('button', { name: 'Confirm', exact: true }).boundingBox();
    assert.ok(button.x >= 0 && button.x + button.width <= 360 && button.y + button.height <= 640);
    const dialog = await openSettings(page);
    const { wide, over } = await dialog.evaluate((element) => ({
      wide: element.getBoundingClientRect().width,
      over: element.scrollWidth - element.clientWidth,
    }));
    assert.ok(wide <= 360 && over <= 0, `${wide} wide, ${over} too wide`);
    await close();
  },

  async 'coordinates, targets and colours of the board change at once and are kept over a reload'(host) {
    const { page, close } = await open(host);
    await ready(page);
    const dialog = await openSettings(page);
    for (const name of ['coordinates', 'targets', 'animation'])
      await dialog.locator(`[name="${name}"]`).uncheck();
    await dialog.getByText('Blue', { exact: true }).click();
    const changed = async () => {
      assert.equal(await page.locator('.board-column .coordinates').count(), 0);
      assert.equal(await page.evaluate(() => document.body.dataset.board), 'blue');
      await choose(page, ['b1']);
      await page.locator('.board-column [aria-selected="true"]').waitFor();
      assert.equal(await page.locator('.board-column .dot').count(), 0);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.animation), 'off');
    };
    await leave(page);
    await changed();
    await page.reload();
    await ready(page);
    await changed();
    await close();
  },

  async 'signs on the board are seen on squares of every colour, in both themes'(host) {
    if (inFirefox) return 'Chromium alone does it';
    const { page, close } = await open(host);
    await ready(page);
    for (const theme of ['light', 'dark']) {
      for (const board of ['wood', 'green', 'blue', 'grey']) {
        const colours = await page.evaluate(
          ([theme, board]) => {
            document.documentElement.dataset.theme = theme;
            document.body.dataset.board = board;
            const probe = document.body.appendChild(document.createElement('i'));
            const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
            const read = (name) => {
              probe.style.color = `var(--${name})`;
              canvas.fillStyle = getComputedStyle(probe).color;
              canvas.fillRect(0, 0, 1, 1);
              return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
            };
            const names = ['square-light', 'square-dark', 'chosen-edge', 'target', 'target-fire'];
            names.push('piece-white-line', 'piece-black');
            return Object.fromEntries(names.map((name) => [name, read(name)]));
          },
          [theme, board],
        );
        const { 'square-light': light, 'square-dark': dark, ...signs } = colours;
        for (const [name, sign] of Object.entries(signs))
          for (const square of [light, dark]) {
            const ratio = contrast(sign, square);
            assert.ok(ratio >= 3, `${name} on ${board}, ${theme}: ${ratio.toFixed(2)}`);
          }
      }
    }
    await close();
  },

  async 'sound has a volume, and text mode is switched by the keyboard'(host) {
    const { page, close } = await open(host);
    await ready(page);
    const dialog = await openSettings(page);
    const volume = dialog.getByRole('slider', { name: 'Volume' });
    assert.ok(await volume.isDisabled());
    await dialog.locator('[name="sound"]').check();
    await volume.focus();
    await page.keyboard.press('End');
    assert.deepEqual(
      await until('the volume is kept', async () => {
        const { sound, volume } = await kept(page);
        return volume === 1 ? { sound, volume } : null;
      }),
      { sound: true, volume: 1 },
    );
    assert.equal(await volume.getAttribute('aria-valuetext'), '100%');
    await leave(page);
    await page.reload();
    await ready(page);
    // The first stop of the keyboard on the page.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.text-mode').waitFor();
    await close();
  },

  async 'letters are no shortcuts where they are switched off, and the speed of filling in is kept'(host) {
    const { page, close } = await open(host);
    await ready(page);
    const dialog = await openSettings(page);
    await dialog.locator('[name="letterKeys"]').uncheck();
    await dialog.getByRole('combobox', { name: /^How fast/ }).selectOption('slow');
    await leave(page);
    await page.keyboard.press('g');
    await page.keyboard.press('2');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    assert.equal(await page.locator('dialog').count(), 1);
    // From the list of keys one comes to the settings.
    await page.getByRole('dialog').getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    const { letterKeys, fill } = await kept(page);
    assert.deepEqual({ letterKeys, fill }, { letterKeys: false, fill: 'slow' });
    await close();
  },

  async 'the page fills the screen, and leaves it again'(host) {
    if (inFirefox) return 'Chromium alone does it';
    const { page, close } = await open(host);
    await ready(page);
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
    await (await openSettings(page)).getByRole('button', { name: 'Full screen' }).click();
    await until('the screen is full', isFull);
    await (await openSettings(page)).getByRole('button', { name: 'Leave full screen' }).click();
    await until('the screen is as before', async () => !(await isFull()));
    await close();
  },

  async 'what is changed in one tab, another one does not undo'(host) {
    const { page, context, close } = await open(host);
    await ready(page);
    const second = await context.newPage();
    await second.goto(host.url);
    await second.getByRole('button', { name: 'Learn', exact: true }).click();
    await second.getByText('0 of 42 lessons done.').waitFor();
    await openSettings(page);
    await page.getByText('Dark', { exact: true }).click();
    // As a lesson that was done there, or rules that were written.
    await page.evaluate(() => {
      const done = { done: ['amazons-move'], last: 'amazons-blocked' };
      localStorage.setItem('hippolyta.v1.learn', JSON.stringify(done));
    });
    await second.getByText('1 of 42 lessons done.').waitFor();
    await second.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    await second.getByRole('button', { name: 'Nobody jumps' }).click();
    await openSettings(second);
    await second.getByText('Blue', { exact: true }).click();
    await page.waitForFunction(() => document.body.dataset.board === 'blue');
    await page.reload();
    await page.getByRole('button', { name: 'Learn', exact: true }).click();
    await page.getByText('1 of 42 lessons done.').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await close();
  },

  async 'damaged settings stop nobody'(host) {
    for (const [settings, theme] of [
      ['"none"', undefined],
      ['{"theme":"dark","board":"plaid","volume":7,"language":"tlh"}', 'dark'],
    ]) {
      const { page, close } = await openPage(host, { kept: { settings } });
      await ready(page);
      const dialog = await openSettings(page);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
      assert.equal(await dialog.locator('[name="board"]:checked').inputValue(), 'wood');
      assert.equal(await dialog.locator('[name="language"]').inputValue(), 'browser');
      await close();
    }
  },
});
