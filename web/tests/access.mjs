// axe-core on every part of the page, light and dark. See browser.mjs for what it needs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openPage, run } from './browser.mjs';
import { HUMAN, keptGame } from './game.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FEN = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';

const tab = (page, name) =>
  page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();

/** The ways to the parts of the page, from the tab Play. */
const PARTS = {
  async play() {},
  async 'new game'(page) {
    await page.getByRole('button', { name: 'New game', exact: true }).click();
  },
  async keys(page) {
    await page.keyboard.press('?');
  },
  analyse: (page) => tab(page, 'Analyse'),
  async review(page) {
    await tab(page, 'Review');
    await page.getByRole('button', { name: 'Review the game' }).click();
    await page.getByText(/^All \d+ positions/).waitFor({ timeout: 30_000 });
  },
  learn: (page) => tab(page, 'Learn'),
  async problems(page) {
    await tab(page, 'Problems');
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await page.getByRole('heading', { name: 'Solution' }).waitFor();
  },
  async editor(page) {
    await page.getByRole('button', { name: 'Set up a position' }).first().click();
  },
  async formats(page) {
    await page
      .getByRole('button', { name: /^Import (or|and) export$/ })
      .first()
      .click();
  },
  async 'text mode'(page) {
    await page.keyboard.press('t');
    await page.locator('.text-mode').waitFor();
  },
};

async function check(host, colorScheme) {
  const kept = keptGame('amazons6', FEN, { white: HUMAN, black: HUMAN });
  kept.game.tree.root.c = [{ t: 'b1b4,b4c4', c: [{ t: 'b6b5,b5c5' }] }];
  kept.game.tip = [0, 0];
  const found = [];
  for (const [part, go] of Object.entries(PARTS)) {
    const { page, close } = await openPage(host, { kept, colorScheme });
    await page.locator('.player.to-move').waitFor();
    await go(page);
    await page.waitForTimeout(300);
    // Not by a script element: the page's own policy would refuse it.
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => (await window.axe.run(document)).violations);
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        found.push(
          `${part}: ${id} (${impact}) at ${nodes
            .slice(0, 3)
            .map((node) => node.target.join(' '))
            .join(', ')}`,
        );
    await close();
  }
  if (found.length > 0) throw new Error(found.join('\n     '));
}

await run({
  'axe finds nothing serious in the light': (host) => check(host, 'light'),
  'axe finds nothing serious in the dark': (host) => check(host, 'dark'),
});
