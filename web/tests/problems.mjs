// The page of problems, in a real browser against a real engine. See browser.mjs for what it needs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { back, openPage, PROBLEMS, run } from './browser.mjs';
import { chooseIn, keptBy, squaresOf } from './game.mjs';

const suite = JSON.parse(readFileSync(PROBLEMS, 'utf8')).problems;
/** A problem with replies in its solution, and a wrong turn. */
const wanted = suite.find(
  ({ id, turn, solution, wrong, elo }) =>
    id.startsWith('amazons6-') &&
    elo > 1000 &&
    Object.keys(solution[turn]).length > 1 &&
    Object.keys(wrong).length > 0,
);
const number = Number(wanted.id.slice(wanted.id.lastIndexOf('-') + 1));

const kept = (more = {}) => ({ problems: { solved: [], last: wanted.id, band: 'all', ...more } });

async function openProblems(host, options = {}) {
  const opened = await openPage(host, { kept: kept(), ...options });
  await opened.page.getByRole('navigation').first().getByText('Problems').click();
  await opened.page.getByRole('heading', { level: 2, name: /^Problem \d+$/ }).waitFor();
  return opened;
}

const enter = (page, turn) => chooseIn(page, squaresOf(turn));

const verdict = (page, words) => page.locator('.verdict', { hasText: words }).waitFor({ timeout: 30_000 });
const solvedCount = async (page) =>
  Number(/^\d+/.exec(await page.locator('.learn-progress').textContent())[0]);

await run({
  async 'the turn that wins is right, and its solution is stepped through'(host) {
    const { page, close } = await openProblems(host);
    await page.getByRole('heading', { name: `Problem ${number}`, exact: true }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Solution' }).count(), 0);
    assert.equal(await solvedCount(page), 0);
    await enter(page, wanted.turn);
    await verdict(page, 'is the one turn that wins');
    assert.equal(await solvedCount(page), 1);
    await page
      .getByRole('button', { name: `Problem ${number}, ` })
      .and(page.locator('.solved'))
      .waitFor();
    // The first reply, with the answer to it.
    const [reply, answers] = Object.entries(wanted.solution[wanted.turn])[0];
    const answer = Object.keys(answers)[0];
    await page.locator('.solution-row').nth(1).click();
    await page.locator('.solution-row[aria-current]').nth(0).waitFor();
    const [, to] = squaresOf(answer);
    await page.locator(`[role="grid"] [aria-label^="${to},"][aria-label*="in the last turn"]`).waitFor();
    const words = await page.locator('.solution-row').nth(1).textContent();
    assert.ok(
      squaresOf(reply).every((square) => words.includes(square)),
      words,
    );
    // It is kept.
    await page.reload();
    await page.getByRole('navigation').first().getByText('Problems').click();
    await page.locator('.problem-number.solved').waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    assert.equal(await page.locator('.problem-number.solved').count(), 0);
    await close();
  },

  async 'a wrong turn is refuted, and the problem may be tried again'(host) {
    const { page, close } = await openProblems(host);
    const [wrong, replies] = Object.entries(wanted.wrong)[0];
    await enter(page, wrong);
    await verdict(page, 'is the reply');
    const text = await page.locator('.verdict').textContent();
    assert.ok(
      squaresOf(Object.keys(replies)[0]).every((square) => text.includes(square)),
      text,
    );
    assert.equal(await solvedCount(page), 0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await enter(page, wanted.turn);
    await verdict(page, 'is the one turn that wins');
    await page.getByRole('button', { name: 'Next problem' }).click();
    await page.getByRole('heading', { name: `Problem ${number + 1}`, exact: true }).waitFor();
    await close();
  },

  async 'any wrong turn is refuted by the engine, and the board stays open'(host) {
    const { page, close } = await openProblems(host);
    const squares = (kind) =>
      page.locator(`.lesson .cell.${kind}`).evaluateAll((all) => all.map((cell) => cell.dataset.square));
    const cell = (square) => page.locator(`.lesson .cell[data-square="${square}"]`);
    // A hint shows the piece, then its way.
    await page.locator('.lesson .cell.own').first().waitFor();
    const [from, to] = squaresOf(wanted.turn);
    await page.getByRole('button', { name: 'Hint', exact: true }).click();
    await verdict(page, `The piece on ${from} makes the turn that wins.`);
    await page.locator('.turn-arrow.hint .ring').waitFor();
    await page.getByRole('button', { name: 'Another hint' }).click();
    await verdict(page, `It goes from ${from} to ${to}.`);
    await page.locator('.turn-arrow.hint .move').waitFor();
    // A turn that the file does not know.
    const other = (await squares('own')).find((square) => square !== from);
    await cell(other).click();
    const goal = (await squares('move'))[0];
    await cell(goal).click();
    const fire = (await squares('fire')).find((square) => !wanted.wrong[`${other}${goal},${goal}${square}`]);
    await cell(fire).click();
    await verdict(page, /^✗[\w–]+\/\w+ loses\. [\w–]+\/\w+ is the reply\.$/);
    assert.equal(await page.locator('.turn-arrow.hint').count(), 0);
    // It is played on, and the engine answers.
    await page.locator('.lesson .cell.own').first().click();
    await cell((await squares('move'))[0]).click();
    await cell((await squares('fire'))[0]).click();
    await page.locator('.verdict', { hasText: /^✗\S+ is the reply\.$|has won/ }).waitFor();
    assert.equal(await solvedCount(page), 0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(`.lesson .cell.own[data-square="${from}"]`).waitFor();
    await page.getByRole('button', { name: 'Analyse from here' }).click();
    await page.getByRole('region', { name: 'Analysis' }).waitFor();
    await page.locator('.board-column .cell.own').first().waitFor();
    assert.equal((await keptBy(page)).start, wanted.fen);
    await back(page);
    await page.getByRole('heading', { name: `Problem ${number}`, exact: true }).waitFor();
    await close();
  },

  async 'rule set and difficulty are chosen, and the solution is shown on request'(host) {
    const { page, close } = await openProblems(host);
    const contents = page.getByRole('navigation', { name: 'Problems' });
    await contents.getByRole('combobox', { name: 'Rule set' }).selectOption('iago');
    await page.locator('.lesson-place', { hasText: 'Iago' }).waitFor();
    const all = suite.filter(({ id }) => id.startsWith('iago-'));
    assert.equal(await contents.locator('.problem-number').count(), all.length);
    await contents.getByRole('combobox', { name: 'Difficulty' }).selectOption('hard');
    const hard = all.filter(({ elo }) => elo !== null && elo >= 1800 && elo < 2600);
    assert.ok(hard.length > 0);
    assert.equal(await contents.locator('.problem-number').count(), hard.length);
    await page.locator('.lesson-place', { hasText: 'Hard' }).waitFor();
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await verdict(page, 'The turn that wins is');
    const [first] = hard;
    assert.ok(squaresOf(first.turn).length >= 3);
    const shown = await page.locator('.solution-row').first().textContent();
    assert.ok(
      squaresOf(first.turn).every((square) => shown.includes(square)),
      shown,
    );
    // Seen is not solved.
    assert.equal(await solvedCount(page), 0);
    // A digit leads here, too.
    await page.locator('#problem-title').click();
    await page.keyboard.press('1');
    await page.locator('.player').first().waitFor();
    await page.keyboard.press('5');
    await page.getByRole('heading', { name: /^Problem \d+$/ }).waitFor();
    await close();
  },

  async 'the first try at a problem changes the rating, and a hint counts as not found'(host) {
    const { page, close } = await openProblems(host);
    const rating = async () => {
      const text = await page.locator('.solver p').textContent();
      const [own, within] = text.match(/[\d,]+/g).map((part) => Number(part.replace(',', '')));
      return { own, within };
    };
    assert.equal(await page.locator('.solver').count(), 0);
    await enter(page, wanted.turn);
    await verdict(page, 'is the one turn that wins');
    const first = await rating();
    assert.ok(first.own > 1200 && first.within < 700, JSON.stringify(first));
    await page.getByText(/^Your rating: [\d,]+ \(\+\d+\)\.$/).waitFor();
    await page.getByRole('button', { name: 'Next problem' }).click();
    await page.getByRole('heading', { name: `Problem ${number + 1}`, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Hint', exact: true }).click();
    await verdict(page, 'With a hint the problem does not count as found for your rating.');
    const second = await rating();
    assert.ok(second.own < first.own && second.within < first.within, JSON.stringify([first, second]));
    await page.getByRole('img', { name: /^Your rating after the last 2 problems, between/ }).waitFor();
    // Once is enough.
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await verdict(page, 'The turn that wins is');
    assert.deepEqual(await rating(), second);
    await page.reload();
    await page.locator('.solver').waitFor();
    assert.deepEqual(await rating(), second);
    // Ratings are of a rule set.
    const contents = page.getByRole('navigation', { name: 'Problems' });
    await contents.getByRole('combobox', { name: 'Rule set' }).selectOption('iago');
    await page.locator('.lesson-place', { hasText: 'Iago' }).waitFor();
    assert.equal(await page.locator('.solver').count(), 0);
    await contents.getByRole('combobox', { name: 'Rule set' }).selectOption('amazons6');
    await page.getByRole('button', { name: 'Begin the rating anew' }).click();
    await page.locator('.solver').waitFor({ state: 'detached' });
    await close();
  },

  async 'the problem of the day has an address, and days in a row are counted'(host) {
    const now = new Date();
    const day = Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
    const { page, close } = await openPage(host, {
      path: '#/problems/daily',
      kept: { daily: { last: day - 1, days: 4 }, problems: { solved: [], last: '', band: 'hard' } },
    });
    await page.getByRole('heading', { level: 2, name: /^Problem \d+$/ }).waitFor();
    assert.equal(await page.evaluate(() => location.hash), '#/problems/daily');
    await page.locator('.daily', { hasText: '4 days in a row' }).waitFor();
    const id = await page.locator('.problem-number[aria-current]').getAttribute('data-id');
    const today = suite.find((problem) => problem.id === id);
    await enter(page, today.turn);
    await verdict(page, 'is the one turn that wins');
    await page.locator('.daily', { hasText: /found.*5 days in a row/ }).waitFor();
    await page.reload();
    await page.locator('.daily', { hasText: /found.*5 days in a row/ }).waitFor();
    assert.equal(await page.locator('.problem-number[aria-current]').getAttribute('data-id'), id);
    // From another problem the button leads there.
    await page.locator('.problem-number:not([aria-current])').first().click();
    await page.waitForFunction(() => location.hash !== '#/problems/daily');
    await page.getByRole('button', { name: 'Problem of the day' }).click();
    await page.waitForFunction(() => location.hash === '#/problems/daily');
    await close();
  },

  async 'problems are chosen by what the turn does, which is told when it is found'(host) {
    const { page, close } = await openProblems(host);
    const contents = page.getByRole('navigation', { name: 'Problems' });
    const theme = contents.getByRole('combobox', { name: 'Theme' });
    await theme.selectOption('shut-in');
    const those = suite.filter(({ id, themes }) => id.startsWith('amazons6-') && themes.includes('shut-in'));
    const shown = () =>
      contents.locator('.problem-number').evaluateAll((all) => all.map((each) => each.dataset.id));
    assert.deepEqual(
      await shown(),
      those.map(({ id }) => id),
    );
    assert.equal(await page.getByText('Theme: ').count(), 0);
    await enter(page, those[0].turn);
    await page.getByText('Theme: Shutting an amazon in').waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 2, name: /^Problem/ }).waitFor();
    assert.equal(await theme.inputValue(), 'shut-in');
    // A problem that an address names is opened even if it has another theme.
    const other = suite.find(({ id, themes }) => id.startsWith('amazons6-') && themes.length === 0);
    await page.evaluate((id) => {
      location.hash = `#/problems/${id}`;
    }, other.id);
    await contents.locator(`[aria-current="step"][data-id="${other.id}"]`).waitFor();
    assert.equal(await theme.inputValue(), 'all');
    await close();
  },

  async 'a problem in text mode, by keyboard alone'(host) {
    const { page, close } = await openProblems(host, {
      kept: { ...kept(), settings: { textMode: true } },
    });
    const box = page.getByRole('textbox', { name: /^Your turn/ });
    await box.fill('a1 a1 a1');
    await page.keyboard.press('Enter');
    await page.locator('.lesson-text', { hasText: 'is not a legal turn' }).waitFor();
    await box.fill(squaresOf(wanted.turn).join(' '));
    await page.keyboard.press('Enter');
    await verdict(page, 'is the one turn that wins');
    // The focus waits on the way on.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Problem ${number + 1}`, exact: true }).waitFor();
    await close();
  },

  async 'on a phone nothing is wider than the window'(host) {
    const { page, close } = await openProblems(host, { viewport: { width: 360, height: 740 } });
    await enter(page, wanted.turn);
    await verdict(page, 'is the one turn that wins');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    await close();
  },

  async 'a page that cannot read the problems says so and tries again'(host) {
    const { page, context } = await openPage(host, { kept: kept() });
    await page.route('**/problems.json', (route) =>
      route.fulfill({ status: 200, body: '{"format":"else"}' }),
    );
    await page.getByRole('navigation').first().getByText('Problems').click();
    await page.getByText('The problems cannot be shown').waitFor();
    await page.unroute('**/problems.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: `Problem ${number}`, exact: true }).waitFor();
    await context.close();
  },
});
