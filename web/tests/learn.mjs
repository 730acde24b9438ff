// Lessons, the board editor, and games in and out, in a real browser against a real engine.
// HIPPOLYTA=…/hippolyta node tests/learn.mjs [part of a test's name]
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { holdEngine, run } from './browser.mjs';
import {
  closed,
  exported,
  isReadAsByConvert,
  ODD_FILES,
  openFormats,
  paste,
  putOnBoard,
} from './formats.mjs';
import { chooseIn, inMenu, until } from './game.mjs';

async function open({ browser, url }, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (!/^(data|blob):$/.test(protocol) && host !== new URL(url).host)
      problems.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, problems };
}

/** The square of the board inside `scope`. */
function square(scope, name) {
  return scope.locator(`[role="grid"] [aria-label^="${name},"]`).first();
}

async function lesson(page, title) {
  const course = page
    .locator('.learn-contents details', { has: page.locator('li button', { hasText: title }) })
    .first();
  const button = course.locator('li button', { hasText: title }).first();
  // The page may open the course by itself meanwhile: a click would close it.
  await until('the course is open', async () => {
    if (!(await button.isVisible())) await course.locator('summary').click();
    return button.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
  });
  await button.click();
  await page.locator('#lesson-title', { hasText: title }).waitFor();
}

async function click(scope, ...names) {
  for (const name of names) await square(scope, name).click();
}

async function verdict(page, words) {
  await page.locator('.verdict', { hasText: words }).waitFor({ timeout: 30_000 });
}

const learn = (page) =>
  page.getByRole('navigation', { name: 'Parts of the page' }).getByText('Learn').click();

const GAME = `[White "Ann"]
[Black "Bob"]
[Variant "amazons6"]

{Start} 1. b1b4,b4c4 {a good one} (1. e1e2,e2e3 {or this} b6b4,b4c4) e6e3,e3c3 2. e1e2,e2d1 *
`;

await run({
  async 'a lesson of each family by mouse'(host) {
    const { page, problems } = await open(host);
    await learn(page);
    await lesson(page, 'How an amazon moves');
    await chooseIn(page, ['a1', 'a3']);
    await verdict(page, 'd4 is the goal');
    await page.getByRole('button', { name: 'Try again' }).click();
    await chooseIn(page, ['a1', 'd4']);
    await verdict(page, 'a diagonal one');
    await page.getByRole('button', { name: 'Next lesson' }).click();
    await lesson(page, 'How a game ends');
    await chooseIn(page, ['d1', 'a1', 'a3']);
    await verdict(page, 'White has won');
    await lesson(page, 'The flip shot');
    await chooseIn(page, ['b5', 'c5', 'f5']);
    await verdict(page, 'Both stones are White’s');
    await lesson(page, 'Iago: enclosing');
    await chooseIn(page, ['b2', 'c2', 'c5']);
    await verdict(page, 'all is White’s');
    await lesson(page, 'Several at once');
    await chooseIn(page, ['c2', 'e4', 'g6']);
    await verdict(page, 'they are gone');
    await lesson(page, 'Draws');
    for (const names of [
      ['g2', 'f3'],
      ['f3', 'g2'],
      ['g2', 'f3'],
      ['f3', 'g2'],
    ])
      await chooseIn(page, names);
    await verdict(page, 'the game is a draw');
    await page.getByRole('button', { name: 'Do it again' }).waitFor();
    await lesson(page, 'Territory is turns');
    await page.getByRole('button', { name: '4', exact: true }).click();
    await verdict(page, 'Count the empty squares');
    await page.getByRole('button', { name: '5', exact: true }).click();
    await verdict(page, 'Five empty squares');
    await page.reload();
    await learn(page);
    assert.equal(
      await page
        .locator('.learn-progress')
        .textContent()
        .then((text) => /\d+/.exec(text)[0]),
      '7',
    );
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'filling a territory against the engine'(host) {
    const { page } = await open(host);
    await learn(page);
    await lesson(page, 'Fill it well');
    for (const names of [
      ['d5', 'e5', 'd5'],
      ['e5', 'e4', 'e5'],
      ['e4', 'd3', 'e4'],
      ['d3', 'e3', 'd3'],
    ]) {
      const won = page.locator('.verdict.right');
      await won.or(page.locator(`.lesson .cell.own[data-square="${names[0]}"]`)).waitFor();
      if (await won.count()) break;
      await chooseIn(page, names);
    }
    await verdict(page, 'White has won');
    await page.context().close();
  },

  async 'a lesson by keyboard alone'(host) {
    const { page, problems } = await open(host);
    await learn(page);
    await lesson(page, 'Move, then shoot');
    const here = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await page.locator('.lesson [role="grid"] [tabindex="0"]').focus();
    // The engine has said what is legal.
    await page.locator('.lesson [role="grid"] [aria-label*="can move"]').first().waitFor();
    const to = async (name) => {
      for (let step = 0; step < 12; step += 1) {
        const at = (await here()).split(',')[0];
        if (at === name) return;
        if (at[0] < name[0]) await page.keyboard.press('ArrowRight');
        else if (at[0] > name[0]) await page.keyboard.press('ArrowLeft');
        else await page.keyboard.press(Number(at.slice(1)) < Number(name.slice(1)) ? 'ArrowUp' : 'ArrowDown');
      }
      assert.fail(`the focus is on ${await here()}, not on ${name}`);
    };
    for (const name of ['a1', 'c3', 'c5']) {
      await to(name);
      await page.keyboard.press('Enter');
    }
    await verdict(page, 'That is a whole turn');
    // The focus waits on the way on.
    await page.locator('.lesson .buttons .primary:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#lesson-title', { hasText: 'The square she left' }).waitFor();
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'a lesson in text mode'(host) {
    const { page, problems } = await open(host);
    await page.evaluate(() =>
      localStorage.setItem('hippolyta.v1.settings', JSON.stringify({ textMode: true })),
    );
    const release = await holdEngine(page);
    await page.reload();
    await learn(page);
    await lesson(page, 'Move, then shoot');
    const type = async (words) => {
      await page.getByRole('textbox', { name: /^Your turn/ }).fill(words);
      await page.keyboard.press('Enter');
    };
    // Typed before the engine has said what is legal: the answer comes when it has.
    await type('a1 b3 b4');
    await page.waitForTimeout(300);
    assert.equal(await page.locator('.lesson-text > p').count(), 0, 'an answer without the engine');
    await release();
    await page.locator('.lesson-text', { hasText: 'white amazon: a1' }).waitFor();
    await page.locator('.lesson-text', { hasText: 'is not a legal turn' }).waitFor();
    await type('moves');
    await page.locator('.lesson-text', { hasText: /\d+ legal turns: / }).waitFor();
    await type('a1-c3/c5');
    await verdict(page, 'That is a whole turn');
    await lesson(page, 'How an amazon moves');
    await type('a1 d4');
    await verdict(page, 'a diagonal one');
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'a position is set up and played from'(host) {
    const { page, problems } = await open(host);
    await inMenu(page, 'Set up a position');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Rule set' }).selectOption('amazons');
    await dialog.getByRole('button', { name: 'Clear', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Squares from left to right' }).selectOption('4');
    await dialog.getByRole('combobox', { name: 'Squares from bottom to top' }).selectOption('3');
    await dialog.locator('.editor-verdict.wrong').waitFor();
    await dialog.locator('.tool').nth(1).click();
    await click(dialog, 'a1', 'b1');
    await click(dialog, 'b1');
    await dialog.locator('.tool').nth(2).click();
    await click(dialog, 'd3');
    await dialog.locator('.tool').nth(3).click();
    await click(dialog, 'c2');
    assert.equal(await dialog.locator('.fen').inputValue(), '3q/2*1/Q3 w - - 0 1');
    await dialog.locator('.editor-verdict', { hasText: /White has \d+ legal turns/ }).waitFor();
    await dialog.locator('.fen').fill('3q/2*1/Q3 x');
    await dialog.locator('.editor-verdict.wrong').waitFor();
    await dialog.locator('.fen').fill('3q/2*1/Q2* b - - 0 3');
    await dialog.locator('.editor-verdict', { hasText: 'Black has' }).waitFor();
    await dialog.getByRole('button', { name: 'Play from here' }).click();
    await closed(page);
    // The engine may have answered already.
    assert.match(await exported(page, 'PGN'), /\[FEN "3q\/2\*1\/Q2\* b/);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'the editor by keyboard and by dragging'(host) {
    const { page, problems } = await open(host);
    await inMenu(page, 'Set up a position');
    const dialog = page.getByRole('dialog');
    const fen = () => dialog.locator('.fen').inputValue();
    await dialog.locator('.fen').fill('q3/4/4/3Q w - - 0 1');
    await dialog.locator('[role="grid"] [tabindex="0"]').focus();
    const place = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label')?.split(',')[0]);
    const begun = await place();
    await page.keyboard.press('4');
    await page.keyboard.press('Enter');
    assert.match(await fen(), /\*/);
    await page.keyboard.press('Delete');
    assert.equal(await place(), begun);
    assert.doesNotMatch((await fen()).replace(' ', ''), /\*/);
    await dialog.locator('.fen').fill('q3/4/4/3Q w - - 0 1');
    await page.waitForTimeout(300);
    await dialog.locator('.tool').first().click();
    const drag = async (from, to) => {
      await square(dialog, from).hover();
      await page.mouse.down();
      if (to) await square(dialog, to).hover();
      else await page.mouse.move(5, 5, { steps: 4 });
      await page.mouse.up();
    };
    await drag('d1', 'b2');
    assert.equal(await fen(), 'q3/4/1Q2/4 w - - 0 1');
    await drag('a4', 'c4');
    assert.equal(await fen(), '2q1/4/1Q2/4 w - - 0 1');
    await square(dialog, 'c4').click({ button: 'right' });
    assert.equal(await fen(), '4/4/1Q2/4 w - - 0 1');
    await dialog.locator('.tool').nth(3).click();
    await drag('a3', 'd3');
    assert.match(await fen(), /^4\/\*.*\*\/1Q2/);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'a game with variations goes out and in'(host) {
    const { page, problems } = await open(host);
    await paste(page, GAME);
    await page.locator('.found', { hasText: '3 turns and 2 in variations' }).waitFor();
    await putOnBoard(page);
    const first = {};
    for (const format of ['PGN', 'SGF', 'JSON', 'Link']) first[format] = await exported(page, format);
    assert.match(first.PGN, /\(1\. e1e2,e2e3/);
    for (const format of ['PGN', 'SGF', 'JSON']) {
      const other = await open(host);
      await paste(other.page, first[format]);
      await other.page.locator('.found', { hasText: '3 turns and 2 in variations' }).waitFor();
      await putOnBoard(other.page);
      // Tags that only one format keeps do not count, the turns with their comments do.
      const turns = (text) => text.slice(text.indexOf('\n\n'));
      assert.equal(turns(await exported(other.page, 'PGN')), turns(first.PGN), format);
      assert.deepEqual(other.problems, []);
      await other.context.close();
    }
    const other = await open({ ...host, url: first.Link });
    // The engine checks the turns first.
    await other.page.waitForFunction(() => localStorage.getItem('hippolyta.v1.game')?.includes('e1e2,e2d1'));
    assert.equal(await exported(other.page, 'Link'), first.Link);
    assert.equal(other.page.url(), first.Link);
    await other.context.close();
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'a link asks before it replaces a game'(host) {
    const { page } = await open(host);
    await paste(page, GAME);
    await page.locator('.found').waitFor();
    await putOnBoard(page);
    const before = await exported(page, 'PGN');
    await page.evaluate(() => {
      location.hash = '#v=amazons&f=3q/2*1/Q3_w_-_-_0_1';
    });
    await page.getByRole('heading', { name: 'Open the game of this link?' }).waitFor();
    await page.getByRole('button', { name: 'Keep playing' }).click();
    await closed(page);
    assert.equal(await exported(page, 'PGN'), before);
    await page.evaluate(() => {
      location.hash = '#v=amazons&f=3q/2*1/Q3_w_-_-_0_1';
    });
    await page.getByRole('button', { name: 'Open the link' }).click();
    await closed(page);
    assert.match(await exported(page, 'FEN'), /^3q\/2\*1\/Q3 w/);
    // The game before is kept.
    await paste(page, '*');
    await page
      .getByRole('tabpanel', { name: 'Import' })
      .getByRole('button', { name: 'Bring back the game before' })
      .click();
    await closed(page);
    assert.equal(await exported(page, 'PGN'), before);
    // As a mail program or a page hands it on; what is damaged is said, and what stands before it is read.
    await page.evaluate(() => {
      location.hash = '#v=amazons6&amp;m=b1b4%2Cb4c4_e6e3c3_e1e&amp;t=1';
    });
    await page.getByRole('button', { name: 'Open the link' }).click();
    await page
      .getByText("damaged after turn 2: 'e1e' is not a turn. What follows there is left out.")
      .waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await closed(page);
    assert.match(await exported(page, 'PGN'), /1\. b1b4,b4c4 e6e3,e3c3 \*/);
    await page.evaluate(() => {
      location.hash = '#v=chess';
    });
    await page.getByText('which is none').waitFor();
    await page.context().close();
  },

  async 'what is wrong is said, and nothing is lost'(host) {
    const { page, problems } = await open(host);
    const text = `${GAME.slice(0, -2)} a1a2,a2a3 b2b3,b3b4 *\n`;
    await paste(page, text);
    await page.locator('.problem', { hasText: "Line 5, column 94: illegal move 'a1a2,a2a3'" }).waitFor();
    await page.locator('.note', { hasText: '1 game, 1 warning' }).waitFor();
    assert.equal(
      await page.getByRole('textbox', { name: 'A game or a position as text' }).inputValue(),
      text,
    );
    await page.getByRole('button', { name: 'Put what was read on the board' }).waitFor();
    await page.getByRole('textbox', { name: 'A game or a position as text' }).fill('hello');
    await page
      .locator('.problem', { hasText: 'This is no PGN, SGF, JSON of games, FEN or line of turns.' })
      .waitFor();
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'files are opened and dropped, and one of many games is chosen'(host) {
    const { page, problems } = await open(host);
    const line = (white, moves) =>
      JSON.stringify({
        game: 0,
        variant: 'amazons6',
        white,
        black: 'B',
        moves: moves.map((move) => ({ move })),
        result: '1-0',
      });
    const lines = `${line('First', ['b1b4,b4c4'])}\n{"damaged\n${line('Second', ['e1e2,e2d1', 'a5a4,a4a5'])}\n`;
    await page.evaluate((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'games.jsonl'));
      for (const type of ['dragover', 'drop'])
        window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, lines);
    await page.locator('.problem', { hasText: /^Line 2, column \d+: .*the game is left out\.$/ }).waitFor();
    await page.locator('.found', { hasText: 'First – B, 1 turn, 1-0' }).waitFor();
    await page.getByRole('listbox', { name: '2 games, 1 warning' }).selectOption('1');
    await page.locator('.found', { hasText: 'Second – B, 2 turns, 1-0' }).waitFor();
    await page.locator('input[type="file"]').setInputFiles({
      name: 'game.sgf',
      mimeType: 'text/plain',
      buffer: Buffer.from('(;GM[18]SZ[6]PB[Ann];B[bfbccc])'),
    });
    await page.locator('.found', { hasText: 'SGF: Amazons 6×6, Ann – ?, 1 turn' }).waitFor();
    await putOnBoard(page);
    assert.match(await exported(page, 'FEN'), /^1q2q1\/q4q\/6\/1Q\*3|^1q2q1\/q4q\/1Q\*3/);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'positions, encodings and rule sets are understood as strangers wrote them'(host) {
    const { page, problems } = await open(host);
    await inMenu(page, 'Set up a position');
    const dialog = page.getByRole('dialog');
    for (const text of ['FEN: 3q/2*1/Q3_w_-_-_0_1', 'position fen 3q/2*1/Q3 w - - 0 1 moves a1a2,a2a1']) {
      await dialog.locator('.fen').fill(text);
      const mover = text.includes('moves') ? 'Black' : 'White';
      await dialog.locator('.editor-verdict', { hasText: `${mover} has` }).waitFor();
    }
    await dialog.getByRole('button', { name: 'Analyse', exact: true }).click();
    await closed(page);
    // The engine may have answered already.
    assert.match(await exported(page, 'PGN'), /\[FEN "3q\/Q1\*1\/\*3 b/);
    // Latin-1, on a board of 10×10, without a word on the rule set.
    const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') });
    await paste(page, 'x');
    const input = page.locator('input[type="file"]');
    await input.setInputFiles(file('a.pgn', '[White "Ren\xe9"]\n\n1. d1d7,d7g7 a7b7,b7c7 *\n'));
    await page.locator('.found', { hasText: 'PGN: Amazons, René – ?, 2 turns' }).waitFor();
    // A ( without its end hides no other game.
    await input.setInputFiles(file('a.sgf', '(;GM[18]SZ[6]PB[A];B[bfbccc]\n(;GM[18]SZ[6]PB[B];B[bfbccc])\n'));
    await page.getByRole('listbox', { name: '2 games, 1 warning' }).selectOption('1');
    await page.locator('.found', { hasText: 'SGF: Amazons 6×6, B – ?, 1 turn' }).waitFor();
    for (const [name, width] of [
      ['wide', 1280],
      ['phone', 390],
    ]) {
      await page.setViewportSize({ width, height: 800 });
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/import-${name}.png` });
    }
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'files are read as by hippolyta convert'(host) {
    const { page, problems } = await open(host);
    for (const [name, bytes] of Object.entries(ODD_FILES)) await isReadAsByConvert(page, name, bytes);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'of many games the first are listed, and more on request'(host) {
    const { page, problems } = await open(host);
    const games = Array.from(
      { length: 1010 },
      (_, at) => `[Variant "amazons"]\n[White "W${at + 1}"]\n\n1. d1d7,d7g7 ${at % 11 ? '' : 'x'} *\n`,
    );
    await paste(page, games.join('\n'));
    await page.getByRole('listbox', { name: '1,010 games, 1,000 of them read, 91 warnings' }).waitFor();
    await page.getByRole('button', { name: 'More games' }).click();
    await page
      .getByRole('listbox', { name: '1,010 games, 92 warnings' })
      .selectOption({ label: '1010. W1010 – ?, Amazons, 1 turn' });
    await page.locator('.found', { hasText: 'W1010 – ?' }).waitFor();
    // The field does not show all of a long file.
    const file = {
      name: 'long.pgn',
      mimeType: 'text/plain',
      buffer: Buffer.from(`{${'long '.repeat(600_000)}} 1. d1d7,d7g7 *`),
    };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.locator('.found', { hasText: 'PGN: Amazons, 1 turn.' }).waitFor();
    const shown = await page.getByRole('textbox', { name: 'A game or a position as text' }).inputValue();
    assert.ok(shown.length < 300_000 && shown.endsWith('…'), String(shown.length));
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'a game is copied by one click'(host) {
    const { page, context, problems } = await open(host);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await paste(page, GAME);
    await page.locator('.found').waitFor();
    await putOnBoard(page);
    await openFormats(page);
    for (const format of ['PGN', 'SGF', 'JSON']) {
      await page.getByRole('dialog').getByRole('radio', { name: format, exact: true }).check({ force: true });
      // At once: the button waits until there is something to copy.
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.locator('.note', { hasText: 'Copied.' }).waitFor();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      assert.ok(text.includes('Ann') && text.includes('a good one'), `${format}: ${text}`);
    }
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  async 'the printer gets a sheet of its own'(host) {
    const { page } = await open(host);
    await paste(page, GAME);
    await page.locator('.found').waitFor();
    await putOnBoard(page);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const sheet = page.locator('.sheet');
    assert.ok(await sheet.isVisible());
    assert.ok(!(await page.locator('main').isVisible()));
    const text = await sheet.textContent();
    for (const words of [
      'Ann – Bob',
      'Amazons 6×6',
      'a good one',
      '(1. e1e2,e2e3',
      'Black to move',
      'e1e2,e2d1',
    ])
      assert.ok(text.includes(words), `${words} in ${text}`);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await sheet.count(), 0);
    await page.context().close();
  },

  async 'pictures and files are saved'(host) {
    const { page, problems } = await open(host);
    await openFormats(page);
    const saved = async (button) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ]);
      return readFile(await download.path());
    };
    const svg = (await saved('Save SVG')).toString();
    assert.match(svg, /^<\?xml[\s\S]*<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"[\s\S]*fill="rgb/);
    // Nothing is caught in the middle of an animation.
    assert.doesNotMatch(svg, / opacity="0"/);
    assert.doesNotMatch(svg, / class=| tabindex=|var\(/);
    const png = await saved('Save PNG');
    assert.deepEqual([...png.subarray(1, 4)].map((code) => String.fromCharCode(code)).join(''), 'PNG');
    assert.ok(png.length > 5000, `${png.length} bytes`);
    await page.getByRole('dialog').getByRole('radio', { name: 'JSON', exact: true }).check({ force: true });
    assert.equal(JSON.parse((await saved('Save as a file')).toString()).variant, 'amazons6');
    assert.deepEqual(problems, []);
    await page.context().close();
  },
});
