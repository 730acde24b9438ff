// Review of a finished game in a real browser: mistakes are found, tried again and answered, by mouse and by keyboard.
// See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { Native, run } from './browser.mjs';
import { chooseIn, squaresOf } from './game.mjs';

// Amazons 6×6, played badly from the third turn on, to the end.
const START = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';

/** A page with a game on it, as if it had been played there. */
async function open(browser, url, moves, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  let child;
  for (const turn of moves.toReversed()) child = { t: turn, ...(child ? { c: [child] } : {}) };
  const saved = {
    tree: { variant: 'amazons6', start: null, root: { t: '', f: START, ...(child ? { c: [child] } : {}) } },
    setup: {
      variant: 'amazons6',
      start: null,
      players: { white: { kind: 'human' }, black: { kind: 'human' } },
      control: null,
      movetime: 1000,
    },
    ending: null,
    tip: moves.map(() => 0),
  };
  // Before the page's own scripts, and once: a reload must find what the page has kept.
  await page.addInitScript((text) => {
    // Firefox has a page without an address first, which has no storage.
    if (window.origin === 'null' || sessionStorage.getItem('begun')) return;
    sessionStorage.setItem('begun', 'yes');
    localStorage.setItem('hippolyta.v1.game', text);
  }, JSON.stringify(saved));
  await page.goto(url);
  await tab(page, 'Review');
  return { page, errors, close: () => context.close() };
}

const tab = (page, name) => page.getByRole('navigation').getByRole('button', { name, exact: true }).click();

/** Plays a turn after another, each the first or the last of the legal ones: a game full of mistakes. */
async function badGame(page) {
  return page.evaluate(async (fen) => {
    const socket = new WebSocket(new URL('./ws', document.baseURI).href.replace(/^http/, 'ws'));
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    const moves = [];
    for (;;) {
      const answer = await new Promise((resolve) => {
        socket.onmessage = (event) => resolve(JSON.parse(event.data));
        socket.send(JSON.stringify({ id: 'm', action: 'legal_moves', variant: 'amazons6', fen, moves }));
      });
      if (answer.moves.length === 0) break;
      moves.push(answer.moves[Math.floor(answer.moves.length * (moves.length % 2 === 0 ? 0.3 : 0.6))]);
    }
    socket.close();
    return moves;
  }, START);
}

async function finishedGame(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  const moves = await badGame(page);
  await context.close();
  assert.ok(moves.length > 8, `a game of ${moves.length} turns`);
  return moves;
}

async function review(page) {
  await page.getByRole('button', { name: 'Review the game' }).click();
  await page.getByText(/^All \d+ positions/).waitFor({ timeout: 60_000 });
}

/** The square of the board, by the name that it has for screen readers. */
const square = (page, name) => page.locator(`.board-column [aria-label^="${name},"]`).first();

/** A legal turn that starts with other squares than the one given. */
async function anyOther(page, moves, not) {
  const turns = await page.evaluate(
    async ({ fen, played }) => {
      const socket = new WebSocket(new URL('./ws', document.baseURI).href.replace(/^http/, 'ws'));
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      const answer = await new Promise((resolve) => {
        socket.onmessage = (event) => resolve(JSON.parse(event.data));
        socket.send(
          JSON.stringify({ id: 'm', action: 'legal_moves', variant: 'amazons6', fen, moves: played }),
        );
      });
      socket.close();
      return answer.moves;
    },
    { fen: START, played: moves },
  );
  const turn = turns.find((text) => text !== not);
  const [before, after] = turn.split(',');
  const [from, to] = before.match(/[a-k]\d+/g);
  return { turn, squares: [from, to, after.match(/[a-k]\d+/g)[1]] };
}

/** How many turns the game has up to the mistake, with it. */
async function turnOf(page) {
  return Number(await page.getByRole('region', { name: 'Try again' }).getAttribute('data-ply'));
}

await run({
  async 'review by mouse: mistakes, a trial, the answer'({ browser, url }) {
    const moves = await finishedGame(browser, url);
    const { page, errors, close } = await open(browser, url, moves, {
      viewport: { width: 1280, height: 640 },
    });
    await review(page);
    const list = page.getByRole('region', { name: 'Mistakes' });
    const count = await list.locator('.mistake-item').count();
    assert.ok(count >= 2, `${count} mistakes in a game played at random`);
    // By cost: the dearest first.
    await list.getByRole('button', { name: 'By cost' }).click();
    const costs = (await list.locator('.mistake-cost').allTextContents()).map((text) =>
      Number(text.match(/\d+/)[0]),
    );
    assert.deepEqual(
      costs,
      costs.toSorted((a, b) => b - a),
    );
    // One side's only.
    await list.getByRole('button', { name: 'White', exact: true }).click();
    const ofWhite = await list.locator('.mistake-item').count();
    await list.getByRole('button', { name: 'Black', exact: true }).click();
    assert.equal(ofWhite + (await list.locator('.mistake-item').count()), count);
    await list.getByRole('button', { name: 'Both sides' }).click();
    // The card asks, and does not give the answer away.
    await list.getByRole('button', { name: 'Next mistake' }).click();
    const card = page.getByRole('region', { name: 'Try again' });
    await card.waitFor();
    // It stands at the head of a panel that was scrolled down to the list.
    const seen = await card.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    assert.ok(seen, 'the card is in sight');
    assert.doesNotMatch(await card.textContent(), /Best was/);
    assert.equal(await page.locator('.turn-arrow.best').count(), 0);
    // A turn is tried on the board: it is judged, and the game stays as it was.
    const ply = await turnOf(page);
    const other = await anyOther(page, moves.slice(0, ply - 1), moves[ply - 1]);
    for (const name of other.squares) await square(page, name).click();
    await card.locator('.attempt.good, .attempt.bad').waitFor({ timeout: 20_000 });
    assert.match(await card.locator('.attempt').textContent(), /loses|best/);
    assert.equal(await page.locator('.turn-list .turn').count(), moves.length + 1);
    await card.getByRole('button', { name: 'Try another turn' }).click();
    assert.equal(await card.locator('.attempt').count(), 0);
    await card.getByRole('button', { name: 'Show the answer' }).click();
    assert.match(await card.textContent(), /Best was/);
    assert.equal(await page.locator('.turn-arrow.best').count(), 1);
    // Why it was a mistake: the squares that a sentence speaks of are shown while it is pointed at.
    const reason = card.locator('.reasons').getByRole('button').first();
    assert.match(await reason.textContent(), / on [a-f][1-6]|squares? for /);
    await reason.hover();
    await page.locator('.board-column .mark.settled.of-nobody').first().waitFor();
    await card.getByRole('heading', { name: 'Try again' }).hover();
    await page.locator('.board-column .mark').first().waitFor({ state: 'detached' });
    // On to the next one, whose answer is hidden again; and round to the first.
    await card.getByRole('button', { name: 'Next mistake' }).click();
    assert.doesNotMatch(await card.textContent(), /Best was/);
    assert.notEqual(await turnOf(page), ply);
    await card.getByRole('button', { name: 'Previous' }).click();
    assert.equal(await turnOf(page), ply);
    await card.getByRole('button', { name: 'Show the answer' }).click();
    assert.match(await card.textContent(), /After the best: .*In the game: /);
    // Both ends side by side, with the squares that it costs.
    await card.locator('.ends .board').nth(1).waitFor();
    await card.getByText(/It costs \d+ squares?, which/).waitFor();
    assert.ok((await card.locator('.ends .mark.settled').count()) > 0);
    await card.getByRole('button', { name: 'Show how it goes on' }).click();
    await page.locator('.variation .turn').first().waitFor();
    const variations = await page.locator('.variation').count();
    await page.getByRole('button', { name: 'Next mistake' }).click();
    await card.getByRole('button', { name: 'Show the answer' }).click();
    await card.getByRole('button', { name: 'Show the refutation' }).click();
    await page.waitForFunction(
      (before) => document.querySelectorAll('.variation').length > before,
      variations,
    );
    assert.deepEqual(errors, []);
    await close();
  },

  async 'mistakes become problems, where every turn is right that is no mistake'({ browser, url }) {
    const moves = await finishedGame(browser, url);
    const { page, errors, close } = await open(browser, url, moves);
    await review(page);
    const list = page.getByRole('region', { name: 'Mistakes' });
    const dear = await list.locator('.mistake-item:is(.mistake, .blunder)').count();
    const make = list.getByRole('button', { name: `Make ${dear} problems of these` });
    await make.click();
    await list.getByText(`${dear} new problems among those of your mistakes.`).waitFor();
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('hippolyta.v1.mistakes')));
    const problems = await kept();
    assert.equal(problems.length, dear);
    await list.getByRole('button', { name: 'Solve them' }).click();
    const contents = page.getByRole('navigation', { name: 'Problems' });
    const opened = (number) =>
      page.getByRole('heading', { name: `Problem ${number}`, exact: true }).waitFor();
    const verdict = (words) => page.locator('.verdict', { hasText: words }).waitFor({ timeout: 30_000 });
    await opened(1);
    await page.locator('.lesson-place', { hasText: 'My mistakes · Amazons 6×6' }).waitFor();
    assert.equal(await contents.locator('.problem-number').count(), dear);
    await page
      .locator('.task', { hasText: /In your game .* was played, a (mistake|blunder) that lost/ })
      .waitFor();
    // The mistake is as wrong as in the review, and is answered as there.
    await chooseIn(page, squaresOf(problems[0].mistake.turn));
    await verdict(/No better than in the game: it loses \d+%\. .* is the reply\./);
    await page.getByRole('button', { name: 'Try again' }).click();
    await chooseIn(page, squaresOf(problems[0].turn));
    await verdict('That is the best turn.');
    await page.locator('.solution-row').first().waitFor();
    await contents.getByText(`1 of ${dear} solved.`).waitFor();
    // No rating knows of it.
    assert.equal(await page.locator('.solver').count(), 0);
    const tried = await page.evaluate(() => localStorage.getItem('hippolyta.v1.rating') ?? '');
    assert.doesNotMatch(tried, /mistakes/);
    // Turns that the engine finds nearly as good as the best one: some of them lose too little for a mistake.
    const engine = new Native();
    let accepted = 0;
    for (const [at, { variant, fen, turn }] of problems.entries()) {
      const { moveInfos } = await engine.ask({ variant, fen, nodes: 5000, multipv: 3 });
      const near = moveInfos.find(
        ({ move, winrate }) => move !== turn && winrate > moveInfos[0].winrate - 0.02,
      );
      if (!near) continue;
      await contents.getByRole('button', { name: `Problem ${at + 1}, ` }).click();
      await opened(at + 1);
      await chooseIn(page, squaresOf(near.move));
      await page.locator('.verdict:is(.right, .wrong)').waitFor({ timeout: 30_000 });
      if ((await page.locator('.verdict.right').count()) === 0) continue;
      assert.match(await page.locator('.verdict').textContent(), /As good as the best|loses only [1-4]%/);
      accepted += 1;
      if (accepted === 2) break;
    }
    engine.stop();
    assert.ok(accepted > 0, 'no second turn was accepted');
    // They are kept, and may be removed.
    await page.reload();
    await page.locator('.lesson-place', { hasText: 'My mistakes' }).waitFor();
    await page.getByRole('button', { name: 'Remove this problem' }).click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('.problem-number').length === count,
      dear - 1,
    );
    await tab(page, 'Review');
    await make.click();
    await list.getByText('1 new problem among those of your mistakes.').waitFor();
    await list.getByRole('button', { name: 'Solve them' }).click();
    await opened(1);
    await contents.getByRole('button', { name: 'Remove all of these' }).click();
    await page.locator('.lesson-place', { hasText: 'My mistakes' }).waitFor({ state: 'detached' });
    assert.deepEqual(await kept(), []);
    assert.deepEqual(errors, []);
    await close();
  },

  async 'a review is kept over a reload, and goes on where it was stopped'({ browser, url }) {
    const moves = await finishedGame(browser, url);
    const { page, close } = await open(browser, url, moves);
    await page.getByRole('button', { name: 'Review deeply' }).click();
    await page.waitForFunction(() => document.querySelector('progress')?.value >= 2, null, {
      timeout: 60_000,
    });
    await page.getByRole('button', { name: 'Stop' }).click();
    const goOn = page.getByRole('button', { name: /Go on with the deep review/ });
    await goOn.waitFor();
    const done = Number((await goOn.textContent()).match(/\((\d+) of/)[1]);
    assert.ok(done >= 2 && done < moves.length + 1, `${done} of ${moves.length + 1}`);
    await page.reload();
    await tab(page, 'Review');
    assert.match(await goOn.textContent(), new RegExp(`\\(${done} of`));
    await page.getByRole('button', { name: 'Go on reviewing' }).click();
    await page.getByText(/^All \d+ positions/).waitFor({ timeout: 60_000 });
    await close();
  },

  async 'review by keyboard alone'({ browser, url }) {
    const moves = await finishedGame(browser, url);
    const { page, errors, close } = await open(browser, url, moves);
    const press = async (name) => {
      await reach(page, name);
      await page.keyboard.press('Enter');
    };
    await press('Review the game');
    await page.getByText(/^All \d+ positions/).waitFor({ timeout: 60_000 });
    // The graph is stepped through by arrows.
    await reach(page, 'Win rate of White over the game');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const slider = page.getByRole('slider', { name: 'Win rate of White over the game' });
    assert.equal(await slider.getAttribute('aria-valuenow'), '1');
    assert.match(await slider.getAttribute('aria-valuetext'), /^Turn 1, White .* for White$/);
    await page.keyboard.press('Home');
    await press('Next mistake');
    const card = page.getByRole('region', { name: 'Try again' });
    await card.waitFor();
    // A turn is tried from square to square of the board.
    const ply = await turnOf(page);
    const other = await anyOther(page, moves.slice(0, ply - 1), moves[ply - 1]);
    for (const name of other.squares) {
      await walk(page, name);
      await page.keyboard.press('Enter');
    }
    await card.locator('.attempt.good, .attempt.bad').waitFor({ timeout: 20_000 });
    await press('Show the answer');
    assert.match(await card.textContent(), /Best was/);
    // Words on the card are spoken, too.
    await page
      .locator('[role=status]', { hasText: 'Best was' })
      .first()
      .waitFor({ state: 'attached', timeout: 30_000 });
    // The list of turns: right and left step, Home goes to the start.
    const first = page.getByRole('group', { name: 'Turns' }).locator('[aria-current]');
    await first.focus();
    await page.keyboard.press('Home');
    assert.equal((await first.textContent())?.trim(), 'Start');
    await page.keyboard.press('ArrowRight');
    assert.match(await first.getAttribute('aria-label'), /^1, White: /);
    assert.deepEqual(errors, []);
    await close();
  },

  async 'a match is watched, and its games are opened'({ browser, url }) {
    const moves = await finishedGame(browser, url);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const lines = [0, 1].map((game) =>
      JSON.stringify({
        game,
        opening: 0,
        variant: 'amazons6',
        fen: START,
        white: 'new',
        black: 'old',
        moves: moves.map((move) => ({ move })),
        result: '1-0',
        reason: 'rules',
        detail: 'Black cannot move',
        final_fen: '',
      }),
    );
    let ended = 1;
    await page.route('**/match/results', (route) => route.fulfill({ body: `${ended} of 2 games` }));
    await page.route('**/match/games?*', (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('from'));
      const text = lines
        .slice(0, ended)
        .map((line) => `${line}\n`)
        .join('');
      return route.fulfill({ body: text.slice(from) });
    });
    await page.goto(url);
    await tab(page, 'Analyse');
    const panel = page.getByRole('region', { name: 'Match' });
    await panel.getByRole('button', { name: 'Open 1' }).waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Open 2' }).count(), 0);
    // A game that ends while one looks is there three seconds later.
    ended = 2;
    await panel.getByRole('button', { name: 'Open 2' }).waitFor({ timeout: 30_000 });
    assert.equal(await panel.getByRole('button', { name: /^Open/ }).count(), 2);
    await panel.getByRole('button', { name: 'Open 1' }).click();
    assert.equal(await page.locator('.turn-list .turn').count(), moves.length + 1);
    await context.close();
  },

  async 'lines stand still under the pointer, and nothing below them jumps'({ browser, url }) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    // The engine's lines, on demand the last one first: those that were there, as a deeper search may have others.
    let turned = false;
    let lines = [];
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((text) => {
        const answer = JSON.parse(text);
        if (answer.moveInfos?.length > 1) {
          if (turned) answer.moveInfos = lines.toReversed().map((line, order) => ({ ...line, order }));
          else lines = answer.moveInfos;
        }
        socket.send(JSON.stringify(answer));
      });
    });
    await page.goto(url);
    await tab(page, 'Analyse');
    const rows = () =>
      page
        .locator('.best-line')
        .evaluateAll((all) => all.map((one) => one.querySelector('.turn').textContent));
    const have = (wanted) =>
      page.waitForFunction(
        (text) =>
          [...document.querySelectorAll('.best-line .line-order')].map((one) => one.textContent).join('') ===
            text && !document.querySelector('.pulse'),
        wanted,
      );
    await have('123');
    await page.evaluate(() => {
      window.tops = new Set();
      const look = () => {
        window.tops.add(document.querySelector('.move-list').getBoundingClientRect().top);
        requestAnimationFrame(look);
      };
      look();
    });
    const before = await rows();
    await page.locator('.best-line').nth(1).locator('.turn').first().hover();
    turned = true;
    await page.getByRole('button', { name: 'Deep', exact: true }).evaluate((button) => button.click());
    await page.waitForFunction(() => document.querySelector('.best-line .line-order').textContent === '3');
    assert.deepEqual(await rows(), before);
    await page.mouse.move(300, 300);
    await page.waitForFunction(() => document.querySelector('.best-line .line-order').textContent === '1');
    await page.getByRole('button', { name: 'Off', exact: true }).click();
    await have('123');
    assert.notDeepEqual(await rows(), before);
    turned = false;
    // The lines of the next position come under the pointer, and no picture covers them.
    await page.getByRole('button', { name: 'Quick', exact: true }).click();
    const turn = page.locator('.best-line').nth(1).locator('.turn').first();
    await turn.hover();
    await page.locator('.preview').waitFor();
    const [picture, last] = [page.locator('.preview'), page.locator('.best-line').last()];
    const [{ y }, line] = [await picture.boundingBox(), await last.boundingBox()];
    assert.ok(y >= line.y + line.height, 'the picture covers lines');
    assert.match(await last.textContent(), /White ([<>]?\d+%|wins)/);
    const left = await rows();
    await turn.click();
    await page.waitForFunction(
      (old) => document.querySelector('.best-line .turn')?.textContent !== old,
      left[0],
    );
    await have('123');
    assert.equal(await page.locator('.preview').count(), 0);
    await page.locator('.best-line').nth(1).locator('.turn').nth(1).hover();
    await page.locator('.preview').waitFor();
    const tops = await page.evaluate(() => [...window.tops]);
    assert.equal(tops.length, 1, `what stands below the lines moved: ${tops}`);
    await context.close();
  },

  async 'a line is played on by keyboard alone, and a threat has its place'({ browser, url }) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${url}#/analyse?v=amazons6&m=b1b4c4_e6e3c3&t=2`);
    const turns = () => page.locator('.turn-list .turn').count();
    await page.locator('.turn[aria-current]', { hasText: 'e6–e3' }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.best-line').length === 3);
    await page.locator('.board-column .cell[tabindex="0"]').focus();
    // By keys to the first line.
    for (let tabs = 0; tabs < 40; tabs += 1) {
      if (await page.evaluate(() => document.activeElement.matches('.best-line .turn'))) break;
      await page.keyboard.press('Tab');
    }
    const atLine = (turn) =>
      page.waitForFunction(
        (before) => {
          const at = document.activeElement;
          return at.matches('.best-line:first-child .turn:first-child') && at.textContent !== before;
        },
        turn,
        { timeout: 10_000 },
      );
    const before = await turns();
    for (const more of [1, 2]) {
      const turn = await page.evaluate(() => document.activeElement.textContent);
      await page.keyboard.press('Enter');
      await atLine(turn);
      assert.equal(await turns(), before + more);
    }
    // The threat comes later than the lines.
    await page.evaluate(() => {
      window.tops = new Set();
      const look = () => {
        // The panel may scroll.
        const top = (part) => document.querySelector(part).getBoundingClientRect().top;
        if (document.querySelector('.threat'))
          window.tops.add(Math.round(top('.move-list') - top('.verdict')));
        requestAnimationFrame(look);
      };
      look();
    });
    await page.getByRole('checkbox', { name: 'Threats' }).check();
    await page.locator('.threat strong').waitFor();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight']) {
      await page.locator('#app').evaluate(() => document.activeElement.blur());
      await page.keyboard.press(key);
      await page.locator('.threat strong').waitFor();
      await page.waitForTimeout(100);
    }
    const tops = await page.evaluate(() => [...window.tops]);
    assert.equal(tops.length, 1, `what stands below the threat moved: ${tops}`);
    await context.close();
  },

  async 'analysis: lines, a variation, promotion and deletion'({ browser, url }) {
    const { page, errors, close } = await open(browser, url, ['b1b4,b4c4', 'b6b5,b5c5']);
    await tab(page, 'Analyse');
    const lines = page.getByRole('list', { name: 'Best lines' });
    await page.waitForFunction(() => document.querySelectorAll('.best-line').length === 3);
    await page.getByRole('button', { name: 'One line more' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.best-line').length === 4);
    assert.match(await lines.textContent(), /visits/);
    assert.ok((await page.locator('.turn-arrow').count()) >= 4);
    // From the position before the last turn the best line is a variation.
    await page.locator('.turn-list .turn').nth(1).click();
    await page.waitForFunction(() =>
      document.querySelector('.turn-list [aria-current]')?.textContent?.includes('b1'),
    );
    await page.waitForFunction(
      () => document.querySelectorAll('.best-line').length === 4 && !document.querySelector('.pulse'),
    );
    await lines.locator('.best-line').nth(1).locator('button.turn').first().click();
    await page.locator('.variation .turn[aria-current]').waitFor();
    await page.getByRole('button', { name: 'Make main line' }).click();
    assert.equal(await page.locator('.move-row .turn[aria-current]').count(), 1);
    await page.getByRole('button', { name: 'Delete from here' }).click();
    assert.equal(await page.locator('.variation').count(), 0);
    await page.getByRole('button', { name: 'Undo delete' }).click();
    assert.equal(await page.locator('.variation').count(), 1);
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.locator('.comment-box textarea:focus').waitFor();
    await page.keyboard.type('Better.');
    await page.reload();
    await tab(page, 'Analyse');
    assert.match(await page.locator('.turn-list').textContent(), /Better\./);
    // Deep analysis goes on until it is stopped.
    await page.getByRole('button', { name: 'Deep', exact: true }).click();
    await page.waitForTimeout(1500);
    await page.getByRole('button', { name: 'Off', exact: true }).click();
    await page.locator('.pulse').waitFor({ state: 'detached' });
    assert.deepEqual(errors, []);
    await close();
  },
});

/** Tabs to the control of that name. */
async function reach(page, name) {
  for (let presses = 0; presses < 120; presses += 1) {
    const here = await page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
    });
    if (here === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`'${name}' cannot be reached by Tab`);
}

/** From square to square of the board by arrow keys; White is at the bottom. */
async function walk(page, square) {
  const at = () => page.evaluate(() => document.activeElement?.getAttribute('data-square') ?? '');
  for (let presses = 0; presses < 120 && (await at()) === ''; presses += 1) await page.keyboard.press('Tab');
  const from = await at();
  assert.notEqual(from, '', 'the board cannot be reached by Tab');
  const right = square.charCodeAt(0) - from.charCodeAt(0);
  const up = Number(square.slice(1)) - Number(from.slice(1));
  for (let step = 0; step < Math.abs(right); step += 1)
    await page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft');
  for (let step = 0; step < Math.abs(up); step += 1)
    await page.keyboard.press(up > 0 ? 'ArrowUp' : 'ArrowDown');
  assert.equal(await at(), square);
}
