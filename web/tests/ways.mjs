// Ways through the page and through a game: addresses and the browser's history, stepping, turns entered ahead.
// See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { back, finger, forward, holdEngine, Native, openPage, run, wayFrom } from './browser.mjs';
import { exported, paste, putOnBoard } from './formats.mjs';
import { engine, HUMAN, inMenu, keptBy, keptGame, place, ready, until } from './game.mjs';

const START = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
const people = () => keptGame('amazons6', START, { white: HUMAN, black: HUMAN });

const FINISHED = `[Event "Open of Pavia"]
[Date "2024.05.??"]
[Round "3"]
[White "Anna"]
[Black "Bruno"]
[Result "1-0"]
[Termination "Bruno forfeits"]
[Variant "amazons6"]

1. b1b4,b4c4 e6e3,e3c3 1-0
`;

const hash = (page) => page.evaluate(() => location.hash);
/** Waits until the address has this fragment. */
async function addressed(page, wanted) {
  await page
    .waitForFunction((text) => location.hash === text, wanted, { timeout: 10_000 })
    .catch(async () => assert.equal(await hash(page), wanted));
}
const tab = (page, name) =>
  page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();
const marked = (page, name) => page.locator('nav [aria-current="page"]', { hasText: name }).waitFor();

await run({
  async 'every view has an address, Back goes through them, and a reload stays'(host) {
    const { page, close } = await openPage(host, { kept: people() });
    await ready(page);
    assert.equal(await hash(page), '');
    /** Each view: how one gets there, its address, and what is then seen. */
    const views = [
      ['#/analyse', () => tab(page, 'Analyse'), () => marked(page, 'Analyse')],
      ['#/review', () => page.keyboard.press('3'), () => marked(page, 'Review')],
      [
        '#/learn/amazons-move',
        () => tab(page, 'Learn'),
        () => page.locator('.learn-contents [aria-current="step"]').waitFor(),
      ],
      [
        '#/learn/amazons-blocked',
        () => page.getByRole('button', { name: 'Skip' }).click(),
        () => page.getByRole('heading', { level: 2 }).waitFor(),
      ],
      [
        '#/problems/amazons6-001',
        () => tab(page, 'Problems'),
        () => page.getByRole('heading', { name: 'Problem 1', exact: true }).waitFor(),
      ],
      [
        '#/problems/amazons6-002',
        () => page.getByRole('button', { name: 'Skip' }).click(),
        () => page.getByRole('heading', { name: 'Problem 2', exact: true }).waitFor(),
      ],
    ];
    for (const [address, go, seen] of views) {
      await go();
      await addressed(page, address);
      await seen();
    }
    assert.match(await page.title(), /^Amazons 6×6 002 · Problems/);
    await page.reload();
    for (const [address, , seen] of views.toReversed()) {
      await addressed(page, address);
      await seen();
      await back(page);
    }
    await marked(page, 'Play');
    await forward(page);
    await marked(page, 'Analyse');
    await page.reload();
    await marked(page, 'Analyse');
    assert.equal(await hash(page), '#/analyse');
    // One that is opened by its address while the page would write another, and one that is none.
    await page.evaluate(() => {
      location.hash = '#/problems/iago-003';
      document.querySelector('nav button:not([aria-current])').click();
    });
    await page.locator('.lesson-place', { hasText: 'Iago' }).waitFor();
    await page.getByRole('heading', { name: 'Problem 3', exact: true }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/learn/no-such-lesson';
    });
    await addressed(page, '#/learn/amazons-move');
    await back(page);
    await addressed(page, '#/problems/iago-003');
    await close();
  },

  async 'the game of a link stays in the address'(host) {
    const { page, close } = await openPage(host, { path: '#v=amazons6&m=b1b4c4_e6e3c3_e1e2f1&t=2' });
    await page.locator('.turn[aria-current]', { hasText: 'e6–e3' }).waitFor();
    const address = '#v=amazons6&m=b1b4c4_e6e3c3_e1e2f1&t=2';
    await addressed(page, address);
    await page.keyboard.press('ArrowRight');
    await addressed(page, address.replace('t=2', 't=3'));
    await tab(page, 'Analyse');
    await addressed(page, `#/analyse?${address.slice(1).replace('t=2', 't=3')}`);
    await tab(page, 'Learn');
    await page.locator('.learn-contents').waitFor();
    await back(page);
    await page.keyboard.press('ArrowLeft');
    await addressed(page, `#/analyse?${address.slice(1)}`);
    // An older state of the history brings no older state of the game.
    await back(page);
    await addressed(page, address);
    await marked(page, 'Play');
    await page.reload();
    await page.locator('.turn[aria-current]', { hasText: 'e6–e3' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await addressed(page, address);
    await page.getByRole('button', { name: 'New game', exact: true }).click();
    await page.getByRole('button', { name: 'Start game' }).click();
    await addressed(page, '#/play');
    await close();
  },

  async 'a finished game from elsewhere is over, and says whose it was'(host) {
    const { page, close } = await openPage(host, { kept: people() });
    await paste(page, FINISHED);
    await putOnBoard(page);
    const panel = page.locator('.panel.play');
    await page.locator('.result', { hasText: 'White wins' }).waitFor();
    await addressed(page, '#v=amazons6&m=b1b4c4_e6e3c3&t=2');
    const words = await panel.textContent();
    for (const word of ['Anna', 'Bruno', 'Open of Pavia, round 3, 2024.05', '1–0: Bruno forfeits.'])
      assert.ok(words.includes(word), `${word} in ${words}`);
    assert.equal(await page.locator('.player.to-move').count(), 0);
    assert.doesNotMatch(await page.locator('.board-prompt').textContent(), /to move/);
    for (const name of ['Hint', 'Resign', 'Play again'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    assert.ok(await page.getByRole('button', { name: 'Take back' }).isDisabled());
    assert.equal(await page.locator('.board-column .cell.own').count(), 0);
    // It is the same after a reload.
    await page.reload();
    await page.locator('.result', { hasText: '1–0: Bruno forfeits.' }).waitFor();
    // It is stepped through, and played on from there as a game of one's own.
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Play on from here' }).click();
    const dialog = page.getByRole('dialog');
    assert.ok(await dialog.getByRole('radio', { name: 'The position on the board' }).isChecked());
    assert.ok(await dialog.getByRole('radio', { name: 'Against the engine' }).isChecked());
    assert.ok(await dialog.getByRole('radio', { name: 'Black', exact: true }).isChecked());
    await dialog.getByRole('button', { name: 'Start game' }).click();
    await ready(page);
    const kept = await keptBy(page);
    assert.deepEqual([kept.setup.players.black, kept.ending, kept.turns], [HUMAN, null, []]);
    assert.equal(kept.start.split(' ')[1], 'b');
    await close();
  },

  async 'a game is stepped through by buttons, by the wheel and by a finger'(host) {
    const kept = people();
    kept.game.tree.root.c = [{ t: 'b1b4,b4c4', c: [{ t: 'b6b5,b5c5' }] }];
    kept.game.tip = [0, 0];
    const { page, close } = await openPage(host, {
      kept,
      hasTouch: true,
      viewport: { width: 390, height: 700 },
    });
    await ready(page);
    const at = (words) => page.locator('.turn[aria-current]', { hasText: words }).waitFor();
    const button = (name) => page.getByRole('button', { name, exact: true });
    await at('b6–b5');
    for (const [name, words] of [
      ['Previous turn', 'b1–b4'],
      ['Start of the game', 'Start'],
      ['Next turn', 'b1–b4'],
      ['End of the game', 'b6–b5'],
    ]) {
      await button(name).click();
      await at(words);
    }
    // At the end the focus stays.
    assert.equal(await button('Next turn').getAttribute('aria-disabled'), 'true');
    assert.equal(
      await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
      'End of the game',
    );
    // The board and its buttons are seen together.
    const [board, steps] = [
      await page.locator('.board-column .board').boundingBox(),
      await page.locator('.board-steps').boundingBox(),
    ];
    assert.ok(board.y >= 0 && steps.y + steps.height < 700 - 60, JSON.stringify([board, steps]));
    const [x, y] = await place(page, 'd3');
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -120);
    await at('b1–b4');
    await page.mouse.wheel(0, 120);
    await at('b6–b5');
    assert.equal(await page.evaluate(() => scrollY), 0);
    const swipe = async (from, to) =>
      finger(page, ...wayFrom(await place(page, from), await place(page, to)));
    await swipe('b3', 'e3');
    await at('b1–b4');
    await swipe('e3', 'b3');
    await at('b6–b5');
    // From a piece the same way is a drag, and one up does not scroll the page.
    await swipe('f2', 'c2');
    await page.locator('.board-prompt', { hasText: 'Choose where it fires' }).waitFor();
    await swipe('c2', 'c3');
    await at('f2–c2/c3');
    await swipe('e6', 'e3');
    await page.locator('.board-prompt', { hasText: 'Choose where it fires' }).waitFor();
    assert.equal(await page.evaluate(() => scrollY), 0);
    await close();
  },

  async 'a turn is entered while the engine thinks, which may be told to play'(host) {
    const kept = keptGame('amazons', null, { white: HUMAN, black: engine('full') }, { movetime: 100_000 });
    kept.game.tree.root.f = '3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1';
    const { page, close } = await openPage(host, { kept });
    const prompt = page.locator('.board-prompt');
    const enter = async (squares) => {
      for (const square of squares) await page.mouse.click(...(await place(page, square)));
    };
    await ready(page);
    await enter(['d1', 'd7', 'g7']);
    await page.locator('.cell.ahead').first().waitFor();
    assert.equal(await page.locator('.cell.ahead').count(), 4);
    await enter(['a4', 'b4', 'a4']);
    await prompt.filter({ hasText: 'Entered ahead: a4–b4/a4.' }).waitFor();
    await page.locator('.turn-arrow.ahead').waitFor();
    // Escape, the button, and a press elsewhere on the board clear it.
    await page.keyboard.press('Escape');
    await page.locator('.turn-arrow.ahead').waitFor({ state: 'detached' });
    await enter(['a4', 'b4', 'a4']);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.locator('.turn-arrow.ahead').waitFor({ state: 'detached' });
    await enter(['a4', 'b4', 'a4', 'e5']);
    await page.locator('.turn-arrow.ahead').waitFor({ state: 'detached' });
    await page.locator('.think-bar.timed').waitFor();
    await enter(['a4', 'b4', 'a4']);
    await page.getByRole('button', { name: 'Move now' }).click();
    // Whether the engine has left it legal, another engine says.
    const { turns } = await until('the engine’s turn', async () => {
      const now = await keptBy(page);
      return now.turns.length >= 2 && now;
    });
    const native = new Native();
    const { moves } = await native.legal('amazons', undefined, turns.slice(0, 2));
    native.stop();
    if (moves.includes('a4b4,b4a4')) {
      await until('the turn entered ahead', async () => (await keptBy(page)).turns[2] === 'a4b4,b4a4');
    } else {
      await prompt.filter({ hasText: 'The turn entered ahead is not legal now.' }).waitFor();
      await enter(['g1', 'h1', 'g1']);
    }
    // Half a turn stays in the hand when the engine has played.
    await page.locator('.cell.ahead').first().waitFor();
    await enter(['j4']);
    await page.getByRole('button', { name: 'Move now' }).click();
    await until('the engine’s turn', async () => (await keptBy(page)).turns.length >= 4);
    await page.locator('.cell[aria-label^="j4, white amazon, chosen"]').waitFor();
    await page.locator('.cell.move').first().waitFor();
    await close();
  },

  async 'what is pressed before it is known what is legal is not lost'(host) {
    const { page, close } = await openPage(host, { kept: people() });
    await ready(page);
    const release = await holdEngine(page);
    await page.reload();
    await page.locator('.board-prompt', { hasText: 'One moment' }).waitFor();
    for (const square of ['b1', 'b4', 'c4']) await page.mouse.click(...(await place(page, square)));
    await release();
    await until('the turn is played', async () => (await keptBy(page)).turns[0] === 'b1b4,b4c4');
    await close();
  },

  async 'squares and arrows are drawn by the right button, and go with the game'(host) {
    const kept = people();
    kept.game.tree.root.m = 'A word.';
    const { page, close } = await openPage(host, { kept });
    await ready(page);
    const own = (kind) => page.locator(`.turn-arrow.own .${kind}`);
    await page.mouse.click(...(await place(page, 'c3')), { button: 'right' });
    await own('ring').waitFor();
    await page.mouse.move(...(await place(page, 'b2')));
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(...(await place(page, 'e5')), { steps: 3 });
    await page.mouse.up({ button: 'right' });
    await own('move').waitFor();
    // The words of the comment stand alone, and the codes go out with them.
    assert.equal(await page.locator('.move-comment').textContent(), 'A word.');
    assert.match(await exported(page, 'PGN'), /\{A word\. \[%csl Gc3\] \[%cal Gb2e5\]\}/);
    const link = await exported(page, 'Link');
    assert.match(link, /&a=c3_b2e5&t=0$/);
    // A turn does not wipe them off, a click beside does; the same mark again takes it back.
    await page.mouse.click(...(await place(page, 'b1')));
    await page.keyboard.press('Escape');
    assert.equal(await own('ring').count(), 1);
    await page.mouse.click(...(await place(page, 'c3')), { button: 'right' });
    await own('ring').waitFor({ state: 'detached' });
    await page.mouse.click(...(await place(page, 'c4')));
    await own('move').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.move-comment').textContent(), 'A word.');
    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URL(link).hash);
    await own('ring').waitFor();
    await own('move').waitFor();
    // A finger that rests on a square means it; what is drawn stands in the address of a game that came by a link.
    await page
      .locator('.board-column .cell[data-square="d4"] .hit')
      .dispatchEvent('contextmenu', { pointerType: 'touch' });
    await page.waitForFunction(() => location.hash.includes('&a=c3_d4_b2e5&'));
    await close();
  },

  async 'in the analysis a finger draws, where the pencil is taken'(host) {
    const { page, close } = await openPage(host, {
      path: '#/analyse',
      kept: people(),
      hasTouch: true,
      viewport: { width: 390, height: 700 },
    });
    await ready(page);
    const own = (kind) => page.locator(`.turn-arrow.own .${kind}`);
    const pencil = page.getByRole('button', { name: 'Draw on the board' });
    await pencil.click();
    assert.equal(await pencil.getAttribute('aria-pressed'), 'true');
    await finger(page, await place(page, 'c3'));
    await own('ring').waitFor();
    await finger(page, ...wayFrom(await place(page, 'b1'), await place(page, 'b4')));
    await own('move').waitFor();
    // Nothing was played or chosen by it, and the page has not scrolled.
    assert.equal(await page.locator('.turn-list .turn').count(), 1);
    assert.equal(await page.locator('.board-column .cell[aria-label*="chosen"]').count(), 0);
    assert.equal(await page.evaluate(() => scrollY), 0);
    // By keyboard, too; and the mouse plays again when the pencil is put down.
    await page.locator('.board-column .cell[data-square="d4"]').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.turn-arrow.own .ring').length === 2);
    await pencil.click();
    for (const square of ['b1', 'b4', 'c4']) await page.mouse.click(...(await place(page, square)));
    await page.locator('.turn[aria-current]', { hasText: 'b1–b4' }).waitFor();
    await close();
  },

  async 'a first visitor is told how to play, and a game comes back after a new one'(host) {
    const { page, close } = await openPage(host);
    await ready(page);
    const welcome = page.getByRole('region', { name: 'How it is played' });
    await welcome.getByText('Move one of your amazons like a chess queen').waitFor();
    assert.deepEqual((await keptBy(page)).setup.players.black, engine('beginner'));
    await welcome.getByRole('button', { name: 'Learn in two minutes' }).click();
    await addressed(page, '#/learn/amazons-move');
    await back(page);
    await welcome.getByRole('button', { name: 'I know how to play' }).click();
    await welcome.waitFor({ state: 'detached' });
    await page.reload();
    await ready(page);
    assert.equal(await welcome.count(), 0);
    for (const square of ['b1', 'b4', 'c4']) await page.mouse.click(...(await place(page, square)));
    await until('the engine’s turn', async () => (await keptBy(page)).turns.length === 2);
    await page.getByRole('button', { name: 'New game', exact: true }).click();
    await page.getByRole('button', { name: 'Start game' }).click();
    await inMenu(page, 'Bring back the game before');
    await until('the game before', async () => (await keptBy(page)).turns[0] === 'b1b4,b4c4');
    await close();
  },
});
