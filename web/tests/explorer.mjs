// The explorer of openings, in a real browser. What it counts is counted here once more, from the games themselves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { openPage, run } from './browser.mjs';
import { HUMAN, keptGame } from './game.mjs';

const START = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';

const GAMES = gunzipSync(
  readFileSync(fileURLToPath(new URL('../../docs/games/long/amazons6.pgn.gz', import.meta.url))),
)
  .toString()
  .split('[Event ')
  .slice(1)
  .map((text) => ({
    result: /\[Result "(.*?)"/.exec(text)[1],
    turns: text.replace(/\[.*\]|\{[^}]*\}/g, '').match(/[a-f]\d[a-f]\d,[a-f]\d[a-f]\d/g),
  }));

/** The image in a mirror that stands beside the board. */
const mirrored = (turn) => turn.replace(/[a-f]/g, (file) => String.fromCharCode(199 - file.charCodeAt(0)));
/** The one of a turn and its image that comes first. */
const both = (turn) => [turn, mirrored(turn)].sort()[0];

function counted(games, ply) {
  const counts = new Map();
  for (const { turns, result } of games) {
    const turn = both(turns[ply]);
    const [won, all] = counts.get(turn) ?? [0, 0];
    counts.set(turn, [won + { '1-0': 1, '1/2-1/2': 0.5, '0-1': 0 }[result], all + 1]);
  }
  return counts;
}

/** Turn, games and White's share of each row. */
const rows = (page) =>
  page.locator('.explorer tbody tr').evaluateAll((all) =>
    all.map((row) => {
      const [turn, games, , share] = [...row.cells].map((cell) => cell.textContent);
      // `a2–d5/e4` as the engine writes it.
      return [turn.replace(/(..)–(..).(..)/, '$1$2,$2$3'), Number(games), share];
    }),
  );

/** The analysis of the position after these turns, with the explorer open. */
async function open(host, ...turns) {
  const kept = keptGame('amazons6', START, { white: HUMAN, black: HUMAN });
  let node = kept.game.tree.root;
  for (const t of turns) {
    node.c = [{ t }];
    node = node.c[0];
    kept.game.tip.push(0);
  }
  const opened = await openPage(host, { path: '#/analyse', kept });
  await opened.page.locator('.explorer summary').click();
  return opened;
}

await run({
  async 'what was played from the start is counted, drawn and played'(host) {
    const { page, close } = await open(host);
    await page.locator('.explorer tbody tr').first().waitFor();
    const expected = counted(GAMES, 0);
    const shown = await rows(page);
    assert.equal(shown.length, expected.size);
    for (const [turn, games, share] of shown) {
      const [won, all] = expected.get(both(turn));
      assert.deepEqual([games, share], [all, `${Math.round((won / all) * 100)}%`], turn);
    }
    // The most frequent comes first.
    assert.ok(shown[0][1] >= shown.at(-1)[1]);
    await page.locator('.explorer', { hasText: `Counted in ${GAMES.length} long games` }).waitFor();
    const [turn] = shown[0];
    await page.keyboard.press('Tab');
    await page.locator('.turn-arrow.other').waitFor();
    assert.equal(await page.locator('.turn-arrow').count(), 1);
    await page.keyboard.press('Enter');
    await page.locator('.turn[aria-current]', { hasText: turn.slice(-2) }).waitFor();
    // The focus goes on with the game.
    await page.waitForFunction((before) => {
      const at = document.activeElement;
      return at.closest('.explorer tbody') && !at.textContent.endsWith(before);
    }, turn.slice(-2));
    await close();
  },

  async 'a position and its mirror image have the same games'(host) {
    const [first] = [...counted(GAMES, 0)].sort(([, [, a]], [, [, b]]) => b - a)[0];
    const after = counted(
      GAMES.filter(({ turns }) => both(turns[0]) === first).map(({ turns, result }) => ({
        result,
        turns: turns[0] === first ? turns : turns.map(mirrored),
      })),
      1,
    );
    const found = [];
    for (const turn of [first, mirrored(first)]) {
      const { page, close } = await open(host, turn);
      await page.locator('.explorer tbody tr').first().waitFor();
      found.push(await rows(page));
      await close();
    }
    const [left, right] = found;
    assert.deepEqual(
      new Map(right.map(([turn, ...rest]) => [mirrored(turn), ...[rest]])),
      new Map(left.map(([turn, ...rest]) => [turn, ...[rest]])),
    );
    // Other ways to the same position count, too.
    for (const [turn, games] of left) assert.ok(games >= (after.get(both(turn))?.[1] ?? 1), turn);
    assert.ok(left.length > 0);
  },

  async 'where no game was, the explorer says so, and a missing file is asked for again'(host) {
    const { page, context } = await openPage(host, {
      path: '#/analyse?v=amazons6&m=b1b2b3_b6b5b4_e1e2e3&t=3',
    });
    await page.route('**/explorer.json', (route) =>
      route.fulfill({ status: 200, body: '{"format":"else"}' }),
    );
    await page.locator('.explorer summary').click();
    await page.getByText('The openings cannot be shown').waitFor();
    await page.unroute('**/explorer.json');
    await page.locator('.explorer').getByRole('button', { name: 'Try again' }).click();
    await page.locator('.explorer', { hasText: 'No game here.' }).waitFor();
    // It stays open.
    await page.reload();
    await page.locator('.explorer', { hasText: 'No game here.' }).waitFor();
    await context.close();
  },
});
