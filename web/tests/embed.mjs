// The page in a frame of another site: `hippolyta serve --frame-ancestors` and `?embed`. HIPPOLYTA is the engine.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { run, startServe } from './browser.mjs';

const LINK = 'v=amazons6&m=b1b4c4_a5b5c5&t=2';

/** Headers of a site that is kept apart from all others. */
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** A site that shows `address` in a frame. */
async function site(address, headers = {}) {
  const server = createServer((_, answer) => {
    answer.setHeaders(new Headers({ 'Content-Type': 'text/html', ...headers }));
    answer.end(`<!doctype html><title>A site</title><iframe title="A game" src="${address()}"
      style="width: 420px; height: 460px; border: 0"></iframe>`);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

await run({
  async 'a site that may shows the game of a link, which goes on there'({ browser }) {
    let address = '';
    const host = await site(() => address);
    const dist = process.env.HIPPOLYTA_DIST;
    const page = dist ? ['--page', dist] : [];
    const { child, port } = await startServe(0, ['--frame-ancestors', host.origin, ...page]);
    address = `http://127.0.0.1:${port}/?embed#${LINK}`;
    const shown = await browser.newPage();
    shown.setDefaultTimeout(30_000);
    await shown.goto(host.origin);
    const frame = shown.frameLocator('iframe');
    await frame.getByText('White to move.').waitFor();
    // White is to move in the start position, too.
    await frame.locator('[role="grid"] [aria-label^="c4, arrow"]').first().waitFor();
    // The board alone, whole and as large as the frame allows.
    assert.equal(await frame.getByRole('navigation').count(), 0);
    const inside = shown.frames()[1];
    const { width, over } = await inside.evaluate(() => ({
      width: document.querySelector('.board').getBoundingClientRect().width,
      over: [
        document.documentElement.scrollWidth - innerWidth,
        document.documentElement.scrollHeight - innerHeight,
      ],
    }));
    assert.ok(width > 390, `${width}`);
    assert.ok(Math.max(...over) <= 0, `${over}`);
    for (const kind of ['.own', '.move', '.fire']) await frame.locator(`.cell${kind}`).first().click();
    await frame.getByText('Black to move.').waitFor();
    // The whole page has the game with the new turn.
    const whole = new URL(await frame.getByRole('link', { name: 'Open in Hippolyta' }).getAttribute('href'));
    assert.equal(whole.search, '');
    assert.match(whole.hash, /^#v=amazons6&m=b1b4c4_a5b5c5_[a-f1-6]{6}&t=3$/);
    // Nothing is kept: the same frame shows the link again.
    assert.equal(await inside.evaluate(() => localStorage.length + sessionStorage.length), 0);
    await shown.close();
    child.kill();
    host.stop();
  },

  async 'a site that is cross-origin isolated shows it as well'({ browser }) {
    let address = '';
    const host = await site(() => address, ISOLATED);
    const { child, port } = await startServe(0, ['--frame-ancestors', host.origin]);
    address = `http://127.0.0.1:${port}/?embed#${LINK}`;
    const shown = await browser.newPage();
    shown.setDefaultTimeout(30_000);
    await shown.goto(host.origin);
    assert.equal(await shown.evaluate(() => crossOriginIsolated), true);
    const frame = shown.frameLocator('iframe');
    for (const kind of ['.own', '.move', '.fire']) await frame.locator(`.cell${kind}`).first().click();
    await frame.getByText('Black to move.').waitFor();
    await shown.close();
    child.kill();
    host.stop();
  },

  async 'other sites get an empty frame'({ browser }) {
    const { child, port } = await startServe(0);
    const host = await site(() => `http://127.0.0.1:${port}/?embed`);
    const shown = await browser.newPage();
    const answered = shown.waitForResponse((answer) => answer.url().includes('?embed'));
    await shown.goto(host.origin);
    const policy = (await answered).headers()['content-security-policy'];
    assert.equal(policy, "frame-ancestors 'none'");
    await shown.waitForTimeout(1_000);
    assert.equal(await shown.frameLocator('iframe').locator('.board').count(), 0);
    await shown.close();
    child.kill();
    host.stop();
  },
});
