// The explorer of openings, in a real browser. What it counts is counted here once more, from the games themselves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { inFirefox, openPage, run } from './browser.mjs';
import { paste, putOnBoard } from './formats.mjs';
import { HUMAN, keptGame } from './game.mjs';

const START = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';

const GAMES = ['long', 'first']
  .map((folder) => new URL(`../../docs/games/${folder}/amazons6.pgn.gz`, import.meta.url))
  .flatMap((file) =>
    gunzipSync(readFileSync(fileURLToPath(file)))
      .toString()
      .split('[Event ')
      .slice(1),
  )
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
      // `a2–d5/e4` as the engine writes it; of people's own games it is told behind the number.
      return [turn.replace(/(..)–(..).(..)/, '$1$2,$2$3'), Number.parseInt(games, 10), share];
    }),
  );

/** A game of two people, as the page keeps it. */
function played(turns, ending = null) {
  const { game } = keptGame('amazons6', START, { white: HUMAN, black: HUMAN });
  let node = game.tree.root;
  for (const t of turns) {
    node.c = [{ t }];
    node = node.c[0];
    game.tip.push(0);
  }
  return { ...game, ending };
}

/** The analysis of the position after these turns, with the explorer open; `games` have been played on the page. */
async function open(host, turns = [], games = []) {
  const entries = games.map((game, at) => {
    const id = `0000000${at}aaaaaa`;
    return [`games.${id}`, { ...game, id }];
  });
  const kept = { game: played(turns), settings: {}, ...Object.fromEntries(entries) };
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
    await page.locator('.explorer', { hasText: `Counted in ${GAMES.length} games of the engine` }).waitFor();
    const [turn] = shown[0];
    // To Firefox what scrolls is a stop of its own.
    if (inFirefox) await page.keyboard.press('Tab');
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
      const { page, close } = await open(host, [turn]);
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

  async 'games of the person and of a file are counted with those of the engine, and each may be left out'(
    host,
  ) {
    const white = { winner: 'white', reason: 'resigned' };
    const black = { winner: 'black', reason: 'resigned' };
    const [known] = [...counted(GAMES, 0).keys()];
    const rare = 'b1b2,b2b3';
    // The last two come to one position by different ways; a game that is not over does not count.
    const games = [
      played([known], white),
      played([mirrored(known)], black),
      played([rare, 'b6b5,b5b4', 'e1e2,e2e3', 'e6e5,e5e4'], white),
      played(['e1e2,e2e3', 'b6b5,b5b4', rare, 'e6e5,e5e4'], black),
      played([known]),
    ];
    const { page, close } = await open(host, [], games);
    const row = (turn) => rows(page).then((all) => all.find(([text]) => both(text) === both(turn))?.[1]);
    const [, engines] = counted(GAMES, 0).get(both(known));
    const own = page.locator('.explorer .own-games');
    await own.nth(1).waitFor();
    assert.equal(await row(known), engines + 2);
    // One and its mirror image.
    assert.equal(await row(rare), (counted(GAMES, 0).get(both(rare))?.[1] ?? 0) + 2);
    assert.equal(await own.first().getAttribute('title'), '2 of them yours or from the file');
    await page.getByRole('checkbox', { name: 'Yours (4)' }).uncheck();
    await own.first().waitFor({ state: 'detached' });
    assert.equal(await row(known), engines);
    await page.getByRole('checkbox', { name: 'Yours (4)' }).check();
    await page.getByRole('checkbox', { name: 'The engine’s (400)' }).uncheck();
    await page.waitForFunction(() => document.querySelectorAll('.explorer tbody tr').length === 2);
    // On from here by both ways.
    const file = ['1-0', '0-1']
      .map(
        (result) =>
          `[Variant "amazons6"]\n[Result "${result}"]\n\n1. ${rare} b6b5,b5b4 2. e1e2,e2e3 ${result}\n`,
      )
      .join('\n');
    await paste(page, file);
    await putOnBoard(page);
    await page.keyboard.press('2');
    await page.getByRole('checkbox', { name: 'The pasted text (2)' }).waitFor();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelectorAll('.explorer tbody tr').length === 1);
    assert.deepEqual(await rows(page), [['e6e5,e5e4', 2, '50%']]);
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(
      () => document.querySelector('.explorer tbody .number')?.textContent[0] === '3',
    );
    assert.deepEqual(await rows(page), [['e1e2,e2e3', 3, '67%']]);
    await page.getByRole('checkbox', { name: 'The pasted text (2)' }).uncheck();
    await page.waitForFunction(
      () => document.querySelector('.explorer tbody .number')?.textContent[0] === '1',
    );
    await close();
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
