// Playing, in a real browser against `hippolyta serve`. See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { holdEngine, inFirefox, Native, openPage, plainProxy, run } from './browser.mjs';
import { engine, HUMAN, keptBy, keptGame, playOut, squaresOf, until, ways } from './game.mjs';

const native = new Native();
process.on('exit', () => native.stop());

/** The person plays the side to move. */
function against(level, side) {
  const players = { white: HUMAN, black: HUMAN };
  players[side === 'white' ? 'black' : 'white'] = engine(level);
  return players;
}

/** Games of Damone between weak levels are drawn again and again: one that White soon wins. */
const END = { damone: { fen: '8/8/4p3/8/4D3/3D4/8/7I w - - 0 30', winner: 'white' } };

async function wholeGame(host, variant, way, options = {}) {
  // The person has the side that won, and wins soon: games of Damone may last long otherwise.
  const { fen, winner: side } = END[variant] ?? (await native.nearEnd(variant, 6));
  const kept = keptGame(variant, fen, against('beginner', side));
  const { page, close } = await openPage(host, { kept, ...options });
  const end = await playOut(page, native, way);
  const { outcome } = await native.legal(variant, fen, end.turns);
  assert.equal(end.outcome, outcome);
  const headline = outcome === 'draw' ? 'Draw' : outcome === side ? 'You win' : 'You lose';
  await page.locator('.result', { hasText: headline }).waitFor();
  assert.ok((await page.locator('.result p').textContent()).length > 10, 'the reason is given');
  await close();
}

/** The dialog of a new game, as a person fills it in. */
async function newGame(page, fill) {
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New game' });
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Start game' }).click();
  await dialog.waitFor({ state: 'detached' });
}

const choose = (dialog, name) => dialog.getByRole('radio', { name, exact: true }).check({ force: true });
/** A card of the dialog. */
const card = (dialog, name) => dialog.getByRole('radio', { name }).check({ force: true });
/** What the dialog has folded away. */
const unfold = (dialog) => dialog.locator('summary').click();
const thinks = (page) => page.locator('.player-state.thinking');

/** A game in which the engine thinks for long: full strength on the large board. */
async function slowGame(host, movetime) {
  const kept = keptGame('amazons', null, { white: HUMAN, black: engine('full') }, { movetime });
  kept.game.tree.root.f = '3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1';
  return openPage(host, { kept });
}

async function play(page, turn) {
  const { turns } = await keptBy(page);
  await ways.mouse(page, squaresOf(turn));
  await until(`${turn} is played`, async () => (await keptBy(page)).turns[turns.length] === turn);
}

const answered = (page, count, timeout) =>
  until(`turn ${count}`, async () => (await keptBy(page)).turns.length >= count, timeout);

await run({
  'a whole game of the Amazons by mouse': (host) => wholeGame(host, 'amazons', ways.mouse),
  'a whole game of Desdemona by mouse': (host) => wholeGame(host, 'desdemona', ways.mouse),
  'a whole game of Damone by mouse': (host) => wholeGame(host, 'damone', ways.mouse),
  'a whole game by keyboard alone': (host) => wholeGame(host, 'amazons6', ways.keys),

  async 'a whole game by touch on a small screen'(host) {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: !inFirefox };
    await wholeGame(host, 'amazons6', ways.touch, phone);
  },

  async 'nothing is wider than a small screen'(host) {
    const { page, close } = await openPage(host, { viewport: { width: 360, height: 740 } });
    for (const name of ['Play', 'Analyse', 'Review', 'Learn', 'Problems']) {
      await page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 360, `${name} is ${wide} pixels wide`);
    }
    await close();
  },

  async 'a new game by the dialog: every kind of opponent, clock and beginning'(host) {
    const { page, close } = await openPage(host);
    await newGame(page, async (dialog) => {
      await card(dialog, 'Other games');
      await unfold(dialog);
      await dialog.getByRole('combobox', { name: 'Rule set' }).selectOption('iago');
      await choose(dialog, 'Black');
      await dialog.getByRole('combobox', { name: 'Clock' }).selectOption('5+3');
    });
    await answered(page, 1);
    let now = await keptBy(page);
    assert.equal(now.setup.variant, 'iago');
    assert.deepEqual(now.setup.control, { start: 300_000, increment: 3000 });
    assert.equal(now.setup.players.black.kind, 'human');
    await page.locator('.clock.running').waitFor();
    await newGame(page, async (dialog) => {
      await card(dialog, 'Amazons the classic');
      await unfold(dialog);
      await choose(dialog, 'Two people');
      await choose(dialog, 'A FEN');
      await dialog.getByRole('textbox', { name: 'Position as FEN' }).fill('5/5/5 w - - 0 1');
      await dialog.getByRole('button', { name: 'Start game' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByRole('textbox', { name: 'Position as FEN' }).fill('q4/5/4Q w - - 0 1');
    });
    await play(page, 'e1e2,e2d2');
    now = await keptBy(page);
    assert.equal(now.start, 'q4/5/4Q w - - 0 1');
    await newGame(page, async (dialog) => {
      await card(dialog, 'Amazons 6×6');
      await unfold(dialog);
      await choose(dialog, 'Engine against engine');
      await dialog.getByRole('combobox', { name: 'White plays as' }).selectOption('novice');
      await dialog.getByRole('combobox', { name: 'Black plays as' }).selectOption('casual');
      await dialog.getByRole('combobox', { name: 'Clock' }).selectOption('none');
    });
    await answered(page, 2);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForTimeout(700);
    const { turns } = await keptBy(page);
    await page.getByRole('button', { name: 'One turn' }).click();
    await answered(page, turns.length + 1);
    await page.waitForTimeout(700);
    assert.equal((await keptBy(page)).turns.length, turns.length + 1);
    await page.getByRole('button', { name: 'Continue' }).click();
    await answered(page, turns.length + 3);
    await close();
  },

  async 'a game by rules of one’s own: written, checked meanwhile, played, and there after a reload'(host) {
    const { page, close } = await openPage(host);
    await newGame(page, async (dialog) => {
      await card(dialog, 'Other games');
      await dialog.getByRole('combobox', { name: 'Rule set' }).selectOption('own');
      const rules = dialog.getByRole('textbox', { name: 'Rules' });
      await dialog.getByText('A turn moves a piece as a knight').waitFor();
      await rules.fill('[mine]\nmoves = "X"');
      await dialog.getByText("line 2: mine.moves: 'X' is not Q, R, B, K or N").waitFor();
      await dialog.getByRole('button', { name: 'Start game' }).click();
      await dialog.getByText('The rules are not yet those of a game.').waitFor();
      const text = '[mine]\ntitle = "Mine"\nstart = "q4/5/4Q w"\nfire-optional = true';
      await rules.fill(text);
      await dialog.getByText('A turn need not fire').waitFor();
      await unfold(dialog);
      await choose(dialog, 'White, moves first');
    });
    await ways.mouse(page, ['e1', 'e2', 'e2']);
    await answered(page, 2);
    let now = await keptBy(page);
    assert.match(now.setup.variant, /^mine = \{ title = 'Mine', start = 'q4\/5\/4Q w - - 0 1'/);
    assert.equal(now.turns[0], 'e1e2');
    await page.reload();
    await page.getByRole('button', { name: 'New game', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'New game' });
    await dialog
      .getByRole('combobox', { name: 'Begin with' })
      .getByRole('option', { name: 'Mine' })
      .waitFor({ state: 'attached' });
    now = await keptBy(page);
    assert.ok(now.turns.length >= 2);
    await close();
  },

  async 'take back, hint, resign, play again'(host) {
    const fen = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
    const kept = keptGame('amazons6', fen, against('beginner', 'white'));
    const { page, close } = await openPage(host, { kept });
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.locator('.turn-arrow.hint').first().waitFor();
    await play(page, 'b1b4,b4c4');
    await answered(page, 2);
    await page.getByRole('button', { name: 'Take back' }).click();
    assert.deepEqual((await keptBy(page)).turns, []);
    await page.getByRole('button', { name: 'Resign' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resign?' });
    await dialog.getByRole('button', { name: 'Play on' }).click();
    assert.equal((await keptBy(page)).ending, null);
    await page.getByRole('button', { name: 'Resign' }).click();
    await dialog.getByRole('button', { name: 'Resign', exact: true }).click();
    await page.locator('.result', { hasText: 'White resigned.' }).waitFor();
    await page.getByRole('button', { name: 'Play again' }).click();
    // The sides have changed: the engine begins.
    await answered(page, 1);
    await close();
  },

  async 'a game that is decided is ended, filled in, and played on'(host) {
    // Both sides can fill five squares, and White must begin.
    const fen = 'Q1*1q/2*2/2*2 w - - 0 1';
    const kept = keptGame('amazons', fen, { white: HUMAN, black: HUMAN });
    const { page, close } = await openPage(host, { kept });
    const card = page.locator('.decided', { hasText: 'Decided: Black wins by ½ turn.' });
    await card.waitFor();
    await page.locator('.board-foot', { hasText: 'White to move. Decided: Black wins by ½ turn.' }).waitFor();
    await card.getByRole('button', { name: 'End the game' }).click();
    await page.locator('.result', { hasText: 'Black wins' }).waitFor();
    assert.deepEqual((await keptBy(page)).ending, { winner: 'black', reason: 'decided', margin: -0.5 });
    await card.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Play on' }).click();
    await card.getByRole('combobox').selectOption('slow');
    await card.getByRole('button', { name: 'Fill in' }).click();
    await answered(page, 2);
    await page.getByRole('button', { name: 'Stop' }).click();
    const { turns } = await keptBy(page);
    await page.waitForTimeout(1200);
    assert.equal((await keptBy(page)).turns.length, turns.length);
    await card.getByRole('combobox').selectOption('at once');
    await card.getByRole('button', { name: 'Fill in' }).click();
    await page.locator('.result', { hasText: 'White has no turn left. Black wins by ½ turn.' }).waitFor();
    assert.equal((await keptBy(page)).turns.length, 10);
    await close();
  },

  async 'the engine resigns what is lost for its level, and plays on if it is told to'(host) {
    const fen = 'Q1*1q/2*2/2*2 w - - 0 1';
    const kept = keptGame('amazons', fen, { white: engine('full'), black: HUMAN });
    const { page, close } = await openPage(host, { kept });
    await page.locator('.result', { hasText: 'You win' }).filter({ hasText: 'White resigned.' }).waitFor();
    await page.getByRole('button', { name: 'Play on' }).click();
    await answered(page, 1);
    await close();
    // A weak level does not know yet that it is lost.
    const weak = keptGame('amazons', fen, { white: engine('beginner'), black: HUMAN });
    const second = await openPage(host, { kept: weak });
    await answered(second.page, 1);
    await second.close();
  },

  async 'taking back stops the engine'(host) {
    const { page, close } = await slowGame(host, 20_000);
    await play(page, 'd1d7,d7g7');
    await thinks(page).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await thinks(page).waitFor({ state: 'detached' });
    assert.deepEqual((await keptBy(page)).turns, []);
    await play(page, 'd1d6,d6g6');
    await thinks(page).waitFor();
    await close();
  },

  async 'a reload while the engine thinks loses nothing'(host) {
    const { page, close } = await slowGame(host, 1500);
    await play(page, 'd1d7,d7g7');
    await thinks(page).waitFor();
    await page.reload();
    await thinks(page).waitFor();
    await answered(page, 2);
    const { turns } = await keptBy(page);
    await page.reload();
    await page.locator('.player.to-move').waitFor();
    assert.deepEqual((await keptBy(page)).turns, turns);
    await close();
  },

  async 'clocks run, stand still over a reload, and fall'(host) {
    const fen = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
    const control = { start: 8000, increment: 0 };
    const kept = keptGame('amazons6', fen, { white: HUMAN, black: HUMAN }, { control });
    const { page, close } = await openPage(host, { kept });
    await play(page, 'b1b4,b4c4');
    await page.locator('.clock.running').waitFor();
    await page.waitForTimeout(1500);
    const shown = async () => Number(await page.locator('.clock.running').textContent());
    const before = await shown();
    assert.ok(before < 7.2, `${before} seconds are left`);
    // Away for longer than the page takes to be there again.
    await page.goto('about:blank');
    await page.waitForTimeout(3000);
    await page.goto(host.url);
    await page.locator('.clock.running').waitFor();
    const after = await shown();
    assert.ok(after <= before && after > before - 2.9, `${after} seconds after a reload, ${before} before`);
    await page.locator('.result', { hasText: 'Black ran out of time.' }).waitFor();
    assert.deepEqual((await keptBy(page)).ending, { winner: 'white', reason: 'time' });
    await close();
  },

  async 'a full server says so, and is asked again'(host) {
    if (host.kind !== 'socket') return 'a server alone has it';
    const context = await host.browser.newContext({ viewport: { width: 390, height: 760 } });
    const page = await context.newPage();
    let full = true;
    // Accepted, and closed at once with the reason.
    await page.routeWebSocket(/\/ws$/, (socket) => {
      if (full) void socket.close({ code: 1013, reason: 'The server is full: 2 sessions are open.' });
      else socket.connectToServer();
    });
    await page.goto(host.url);
    const banner = page.locator('.banner.away');
    await banner.filter({ hasText: 'The server is full: 2 sessions are open. The game is kept' }).waitFor();
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/full.png` });
    full = false;
    await page.getByRole('button', { name: 'Try now' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelectorAll('[role="gridcell"]').length > 0);
    await context.close();
  },

  async 'behind a proxy that lets no socket through the page says what is wrong'(host) {
    if (!host.port) return 'a server alone has it';
    for (const [keepsHost, words] of [
      [true, 'A proxy in front of the server does not pass on WebSockets: its configuration lacks the lines'],
      [false, 'The server refuses this page: '],
    ]) {
      const proxy = await plainProxy(host, keepsHost);
      const { page, context } = await openPage({ ...host, url: proxy.url });
      await page.locator('.banner.away', { hasText: words }).waitFor();
      if (!keepsHost) await page.locator('.banner.away', { hasText: '--allow-host 127.0.0.1' }).waitFor();
      await context.close();
      proxy.stop();
    }
  },

  async 'the server goes and comes back: nothing is lost'(host) {
    if (!host.kill) return 'a server alone has it';
    const { page, close } = await slowGame(host, 1500);
    await play(page, 'd1d7,d7g7');
    await thinks(page).waitFor();
    await host.kill();
    await page.locator('.banner.away').waitFor();
    // The board is there to be looked at.
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('button', { name: 'Back to the game' }).click();
    await host.restart();
    await page.locator('.banner.away').waitFor({ state: 'detached', timeout: 20_000 });
    await answered(page, 2);
    assert.equal((await keptBy(page)).turns[0], 'd1d7,d7g7');
    await close();
  },

  async 'damaged storage is set aside with a word'(host) {
    const { page, close } = await openPage(host, { kept: { game: '{"tree":7}' } });
    await page.locator('.banner', { hasText: 'cannot be read' }).waitFor();
    const aside = await page.evaluate(() => localStorage.getItem('hippolyta.v1.damaged.game'));
    assert.equal(aside, '{"tree":7}');
    await page.locator('.player').first().waitFor();
    await close();
    const { game } = keptGame('amazons6', null, { white: HUMAN, black: HUMAN });
    game.tree.root.f = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
    for (const spoilt of [
      { ...game, setup: { ...game.setup, players: {} } },
      { ...game, tree: { ...game.tree, tags: { White: 5, Event: {} } } },
    ]) {
      const { page, close } = await openPage(host, { kept: { game: spoilt } });
      await page.locator('.player').first().waitFor();
      await close();
    }
  },

  async 'two tabs play two games'(host) {
    const fen = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
    const kept = keptGame('amazons6', fen, { white: HUMAN, black: HUMAN });
    const { page, context, close } = await openPage(host, { kept });
    await play(page, 'b1b4,b4c4');
    const second = await context.newPage();
    await second.goto(host.url);
    await until('the second tab has the game', async () => (await keptBy(second))?.turns.length === 1);
    await newGame(second, async (dialog) => {
      await unfold(dialog);
      await choose(dialog, 'Two people');
    });
    await play(second, 'e1e2,e2d2');
    await page.reload();
    await page.locator('.player.to-move').waitFor();
    assert.deepEqual((await keptBy(page)).turns, ['b1b4,b4c4']);
    assert.deepEqual((await keptBy(second)).turns, ['e1e2,e2d2']);
    await close();
  },

  async 'a game in text mode'(host) {
    const { fen, side } = await native.nearEnd('amazons6', 6);
    const kept = keptGame('amazons6', fen, against('beginner', side), { textMode: true });
    const { page, close } = await openPage(host, { kept });
    const box = page.getByRole('textbox', { name: /Turn or command/ });
    const say = async (text, answer) => {
      await box.fill(text);
      await box.press('Enter');
      await page.locator('.text-answers li', { hasText: text }).first().filter({ hasText: answer }).waitFor();
    };
    // Typed before the engine has said what is legal: the answer comes when it has.
    const release = await holdEngine(page);
    await page.reload();
    await say('a1a1 a1', 'One moment');
    await release();
    const answers = page.locator('.text-answers li', { hasText: 'a1a1 a1' });
    await answers.filter({ hasText: 'is not a legal turn' }).waitFor();
    await page.locator('.text-state', { hasText: 'to move' }).waitFor();
    await say('help', 'pieces: where the pieces stand');
    await say('pieces', 'White amazon');
    await say('row 1', 'Rank 1: a1');
    await say('file b', 'File b: b1');
    await say('board', 'Rank 6: a6');
    await say('last', 'No turn was played yet');
    await say('clock', 'no clock');
    await say('moves', 'turn');
    await say('nonsense', 'Type help');
    await say('eval', /White|Black/);
    await say('best', 'Best: ');
    await say('lines 2', 'Best turns');
    const typed = async (_, squares) => {
      await box.fill(squares.join(' '));
      await box.press('Enter');
    };
    await page.evaluate(() => {
      window.heard = [];
      const region = [...document.querySelectorAll('[aria-live="polite"]')];
      new MutationObserver(() => window.heard.push(...region.map((one) => one.textContent))).observe(
        document.body,
        { childList: true, characterData: true, subtree: true },
      );
    });
    const end = await playOut(page, native, typed);
    await page.locator('.text-state', { hasText: /You (win|lose)/ }).waitFor();
    const heard = await until('the end is announced', async () => {
      const words = (await page.evaluate(() => window.heard)).join(' ');
      return /You (win|lose)/.test(words) ? words : null;
    });
    for (const name of ['White: ', 'Black: ']) assert.ok(heard.includes(name), `${name} was announced`);
    await say('turn', /You (win|lose)/);
    await say('back', end.turns.length > 1 ? 'to move' : 'start');
    await say('review', 'average loss');
    await close();
  },

  async 'shortcuts and the list of keys'(host) {
    const { page, close } = await openPage(host);
    await page.locator('.player.to-move').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    // A closed dialog has no role any more, but is there for a moment still.
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('t');
    await page.locator('.text-mode').waitFor();
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('t');
    await page.locator('.text-mode').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.getByRole('dialog', { name: 'New game' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('2');
    await page.getByRole('region', { name: 'Analysis' }).waitFor();
    await close();
  },

  async 'memory stays flat over 100 games'(host) {
    if (inFirefox) return 'Chromium alone does it';
    const { fen } = await native.nearEnd('amazons6', 2);
    const players = { white: engine('casual'), black: engine('casual') };
    const kept = keptGame('amazons6', fen, players);
    const { page, context, close } = await openPage(host, { path: '#', kept });
    // The pause before an answer is for people.
    await page.evaluate(() => {
      const wait = window.setTimeout.bind(window);
      window.setTimeout = (act, time, ...rest) => wait(act, time > 200 && time < 400 ? 0 : time, ...rest);
    });
    const devtools = await context.newCDPSession(page);
    const used = async () => {
      await page.waitForTimeout(500);
      await devtools.send('HeapProfiler.collectGarbage');
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      return usedSize;
    };
    const games = (count) =>
      page.evaluate(async (wanted) => {
        for (let game = 0; game < wanted; game += 1) {
          for (let look = 0; !document.querySelector('.result'); look += 1) {
            if (look > 3000) throw new Error(`game ${game} does not end`);
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
          [...document.querySelectorAll('.result button')].at(-1).click();
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      }, count);
    page.setDefaultTimeout(90_000);
    // The browser's own tables and compiled code grow for a while, for longer where the machine is busy. What the page
    // forgets to release grows for ever.
    const sizes = [];
    do {
      await games(sizes.length ? 100 : 60);
      sizes.push(await used());
    } while (sizes.length < 8 && !(sizes.at(-1) < sizes.at(-2) * 1.03));
    assert.ok(
      sizes.at(-1) < sizes.at(-2) * 1.03,
      `bytes after 60 games and after each 100 more: ${sizes.join(', ')}`,
    );
    await close();
  },
});
