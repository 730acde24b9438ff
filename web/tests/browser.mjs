// Chromium and a host for the tests in the browser.
//
// `HIPPOLYTA=path/to/hippolyta` starts `hippolyta serve` on a free port; `PAGE=http://…` takes a page that is
// already served. `CHROMIUM` names another browser than Debian's.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
}

/** The address of the page, and how to end what serves it. */
export async function serve() {
  if (process.env.PAGE) return { url: process.env.PAGE, stop() {} };
  const binary = process.env.HIPPOLYTA;
  if (!binary) throw new Error('set HIPPOLYTA to the engine, or PAGE to an address where the page is served');
  const port = await freePort();
  const child = spawn(binary, ['serve', '--port', String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`hippolyta serve ended with ${child.exitCode}`);
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { url, stop: () => child.kill() };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error('hippolyta serve does not answer');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Runs named tests one after another, prints a line for each, and ends the process: 1 if one failed. */
export async function run(tests) {
  const host = await serve();
  const browser = await launch();
  let failed = 0;
  const only = process.argv[2];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const begun = Date.now();
    try {
      await test({ browser, url: host.url });
      console.log(`ok   ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  await browser.close();
  host.stop();
  process.exit(failed > 0 ? 1 : 0);
}
