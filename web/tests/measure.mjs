// How long a first visitor waits on a slow line: `HIPPOLYTA=path/to/hippolyta node tests/measure.mjs`. Chromium holds the
// line down to 1.6 Mbit/s with 150 ms of latency, and has nothing in its cache. With HIPPOLYTA_SITE the static page is
// measured, too. It prints milliseconds from the request to the board, and to the engine's first turn, which is asked for
// as soon as the board is there; and the bytes that came.
import { launch, serve, startServe } from './browser.mjs';
import { engine, HUMAN, keptGame } from './game.mjs';

const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 };
const START6 = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';

async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const { game } = keptGame('amazons6', START6, { white: engine('casual'), black: HUMAN }, { movetime: 100 });
  await page.addInitScript((kept) => localStorage.setItem('hippolyta.v1.game', kept), JSON.stringify(game));
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  // Requests of its workers are the page's, too.
  const finished = [];
  page.on('requestfinished', (request) => finished.push(request.sizes()));
  const begun = Date.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('.board [role="gridcell"]').first().waitFor({ timeout: 120_000 });
  const board = Date.now() - begun;
  await page.locator('.board [aria-label*="arrow"]').first().waitFor({ timeout: 120_000 });
  const turn = Date.now() - begun;
  const sizes = await Promise.all(finished);
  const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
  await context.close();
  return { board, turn, bytes };
}

const hosts = [];
const { child, port } = await startServe(
  0,
  process.env.HIPPOLYTA_DIST ? ['--page', process.env.HIPPOLYTA_DIST] : [],
);
hosts.push(['hippolyta serve', `http://127.0.0.1:${port}/`, () => child.kill()]);
if (process.env.HIPPOLYTA_SITE) {
  const { url, stop } = await serve('worker');
  hosts.push(['static page', url, stop]);
}
const browser = await launch();
for (const [name, url, stop] of hosts) {
  for (let visits = 0; visits < 5; visits += 1) console.log(name, JSON.stringify(await visit(browser, url)));
  stop();
}
await browser.close();
process.exit(0);
