// A browser, and what serves the page, for the tests in the browser.
//
// HIPPOLYTA=path/to/hippolyta      starts `hippolyta serve` on a free port.
// HIPPOLYTA_DIST=path/to/dist      with it: the page from this folder in place of the one inside the program.
// HIPPOLYTA_SITE=path/to/folder    the static page with its engine, from a small server of our own.
// PAGE=http://…                    a page that is already served.
// CHROMIUM                         another one than Debian's.
// FIREFOX=path/to/firefox          the tests run in this Firefox instead.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium, firefox } from 'playwright-core';

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

/** Where Debian has its Firefox. */
export const DEBIANS_FIREFOX = '/usr/bin/firefox-esr';

/** Some tests need what only Chromium can: a phone's window, a look at its memory, axe in reasonable time. */
export const inFirefox = !!process.env.FIREFOX;

export async function launch() {
  if (inFirefox) return launchFirefox(process.env.FIREFOX);
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
}

/** Media features that are settings of the whole of Firefox, which knows no emulation of them by page yet. */
const MEDIA = {
  'reducedMotion no-preference': { 'ui.prefersReducedMotion': 0 },
  'forcedColors active': { 'browser.display.document_color_use': 2 },
  'colorScheme dark': { 'layout.css.prefers-color-scheme.content-override': 0 },
};

/** The settings of Firefox that the options of a page ask for. */
function settingsFor(options) {
  return Object.assign({}, ...Object.entries(options).map(([name, value]) => MEDIA[`${name} ${value}`]));
}

const implementation = (object) => object._connection.toImpl(object);

/** Firefox as it is, by WebDriver BiDi. Unless a test asks for more, motion is reduced, and the page is light. */
export async function launchFirefox(executablePath, settings = {}) {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      'dom.w3c_touch_events.enabled': 1,
      ...settings,
    },
  });
  const session = Object.getPrototypeOf(implementation(browser)._browserSession);
  const { send } = session;
  session.send = function (method, ...rest) {
    if (method === 'emulation.setMediaFeaturesOverride') return Promise.resolve({});
    return send.call(this, method, ...rest);
  };
  return browser;
}

/** Playwright puts all that it clicks in Firefox into the middle of the window: only what is out of sight has to move. */
function scrollAsNeeded(page) {
  implementation(page).delegate.scrollRectIntoViewIfNeeded = async (handle) => {
    try {
      await handle.evaluateInUtility(([, node]) => {
        const { top, bottom, left, right } = node.getBoundingClientRect();
        if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth)
          node.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      }, null);
      return 'done';
    } catch (error) {
      if (/detached from document/.test(error.message)) return 'error:notconnected';
      throw error;
    }
  };
}

/** A finger that goes from point to point: it is put down at the first and lifted at the last. */
export async function finger(page, ...points) {
  const [[x, y], ...rest] = points;
  if (inFirefox) {
    const session = implementation(page).delegate._session;
    await session.send('input.performActions', {
      context: session.sessionId,
      actions: [
        {
          type: 'pointer',
          id: 'finger',
          parameters: { pointerType: 'touch' },
          actions: [
            { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
            { type: 'pointerDown', button: 0 },
            ...rest.map(([toX, toY]) => ({
              type: 'pointerMove',
              x: Math.round(toX),
              y: Math.round(toY),
              duration: 20,
            })),
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    });
    return;
  }
  const devtools = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x, y });
  for (const [toX, toY] of rest) await touch('touchMove', { x: toX, y: toY });
  await touch('touchEnd');
}

/** Points on the way from one to another, with both. */
export function wayFrom([x1, y1], [x2, y2], parts = 5) {
  const part = (at) => [x1 + ((x2 - x1) * at) / parts, y1 + ((y2 - y1) * at) / parts];
  return Array.from({ length: parts + 1 }, (_, at) => part(at));
}

/**
 * A step of the browser's history to another view, once the page has heard of it. In Firefox Playwright waits in vain for
 * the load of a page that stays. */
const step = (page, by) =>
  page.evaluate(
    (steps) =>
      new Promise((resolve) => {
        window.addEventListener('hashchange', () => requestAnimationFrame(resolve), { once: true });
        history.go(steps);
      }),
    by,
  );
export const back = (page) => step(page, -1);
export const forward = (page) => step(page, 1);

/** Which hosts the environment offers. */
export const has = { socket: !!process.env.HIPPOLYTA, worker: !!process.env.HIPPOLYTA_SITE };

/** The address of the page, and how to end what serves it. A `socket` host can be restarted on its port. */
export async function serve(kind = has.socket || !has.worker ? 'socket' : 'worker') {
  if (kind === 'worker') return serveFolder(process.env.HIPPOLYTA_SITE);
  if (process.env.PAGE) return { kind, url: process.env.PAGE, stop() {} };
  if (!has.socket)
    throw new Error('set HIPPOLYTA to the engine, or PAGE to an address where the page is served');
  const engine = await startServe(0);
  const { port } = engine;
  let child = engine.child;
  const folder = process.env.HIPPOLYTA_DIST;
  const front = folder ? await serveFolder(folder, port) : null;
  return {
    kind,
    port,
    url: front?.url ?? `http://127.0.0.1:${port}/`,
    /** Ends the server as a crash would. */
    async kill() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
    async restart() {
      child = (await startServe(port)).child;
    },
    stop() {
      child.kill();
      front?.stop();
    },
  };
}

/** `hippolyta serve`: its first line is its address. */
export async function startServe(port, more = []) {
  const child = spawn(process.env.HIPPOLYTA, ['serve', '--port', String(port), '--threads', '1', ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A test that fails leaves it behind: whoever waits for the end of our output would wait for its end.
  process.once('exit', () => child.kill());
  const first = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`hippolyta serve ended with ${code}`)));
    child.once('error', reject);
  });
  const address = /http:\/\/[^\s/]+/.exec(first)?.[0];
  if (!address) throw new Error(`the first line of hippolyta serve names no address: ${first}`);
  return { child, port: Number(new URL(address).port) };
}

/** From its next load the page's words for its engine lie until the function given back is called: a slow machine. */
export async function holdEngine(page) {
  await page.addInitScript(() => {
    const held = [];
    let open = false;
    window.releaseEngine = () => {
      open = true;
      for (const send of held.splice(0)) send();
    };
    for (const [kind, name] of [
      [WebSocket, 'send'],
      [Worker, 'postMessage'],
    ]) {
      const own = kind.prototype[name];
      kind.prototype[name] = function (...words) {
        if (open) own.apply(this, words);
        else held.push(() => own.apply(this, words));
      };
    }
  });
  return () => page.evaluate(() => window.releaseEngine());
}

const lab = (path) => fileURLToPath(new URL(`../../crates/lab/src/${path}`, import.meta.url));
/** The problems and the openings that come with the program. */
export const PROBLEMS = lab('problems/problems.json');
const BESIDE = { '/problems.json': PROBLEMS, '/explorer.json': lab('arena/explorer.json') };

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** Files of a folder. With `engine`, a port of `hippolyta serve`, the page gets a socket, which is passed on there. */
async function serveFolder(folder, engine) {
  /** Texts in place of files, by path: a test may spoil one. */
  const changed = new Map();
  /** Files as they are sent, compressed as static hosts do. */
  const compressed = new Map();
  /** How often each path was asked for. */
  const asked = new Map();
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url, 'http://host');
    const path = normalize(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    const file = join(folder, path);
    asked.set(path, (asked.get(path) ?? 0) + 1);
    // The program has these itself; on a static host they lie beside the page.
    if (engine && path in BESIDE) changed.set(path, readFileSync(BESIDE[path]));
    if (path.includes('..') || !(changed.has(path) || existsSync(file))) {
      answer.writeHead(404).end('not found');
      return;
    }
    let body = changed.get(path) ?? readFileSync(file);
    if (engine && path === '/index.html')
      body = body
        .toString()
        .replace('name="hippolyta-host" content="worker"', 'name="hippolyta-host" content="socket"');
    const type = TYPES[extname(path)];
    if (type === undefined || changed.has(path) || engine) {
      answer.writeHead(200, { 'content-type': type ?? 'application/octet-stream' }).end(body);
      return;
    }
    if (!compressed.has(file)) compressed.set(file, gzipSync(body));
    answer.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(compressed.get(file));
  });
  if (engine) server.on('upgrade', (request, socket, head) => passOn(request, socket, head, engine));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    kind: engine ? 'socket' : 'worker',
    url: `http://127.0.0.1:${server.address().port}/`,
    changed,
    asked,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * A proxy that knows nothing of WebSockets, before what `serve` has started. It passes on the name that the browser
 * asks for or, as nginx does by default, gives its own. */
export async function plainProxy({ url, port }, keepsHost) {
  const server = createServer((request, answer) => {
    const to = request.url.endsWith('/ws') ? port : Number(new URL(url).port);
    const { connection, upgrade, host, ...headers } = request.headers;
    headers.host = keepsHost ? host : `127.0.0.1:${to}`;
    const { method, url: path } = request;
    const passed = httpRequest({ host: '127.0.0.1', port: to, method, path, headers }, (found) => {
      const { connection: _, upgrade: __, ...rest } = found.headers;
      answer.writeHead(found.statusCode, rest);
      found.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    request.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A WebSocket, byte by byte. The server checks who asks, so the names are those that it expects. */
function passOn(request, socket, head, port) {
  const to = connect(port, '127.0.0.1', () => {
    const headers = { ...request.headers, host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    to.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    to.write(head);
    socket.pipe(to);
    to.pipe(socket);
  });
  to.on('error', () => socket.destroy());
  to.on('close', () => socket.destroy());
  socket.on('error', () => to.destroy());
  socket.on('close', () => to.destroy());
}

/** The native engine, for what the page's turns are compared with and for positions to begin from. */
export class Native {
  #child = spawn(process.env.HIPPOLYTA, ['analyse', '--threads', '1', '--jobs', '1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  #waiting = new Map();
  #last = 0;

  constructor() {
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line);
      if (answer.warning) return;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    this.#child.once('close', (code) => {
      for (const answer of this.#waiting.values()) answer({ error: `hippolyta analyse ended with ${code}` });
    });
  }

  async ask(query) {
    this.#last += 1;
    const id = `n${this.#last}`;
    const answered = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin.write(`${JSON.stringify({ ...query, id })}\n`);
    const answer = await answered;
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  legal(variant, fen, moves = []) {
    return this.ask({ action: 'legal_moves', variant, fen, moves });
  }

  /**
   * A position this many turns before the end of a game between weak levels that was won, and by whom. Weak play of
   * Damone is drawn again and again: low levels are best. */
  async nearEnd(variant, turns, elo = 900) {
    let moves = [];
    for (let seed = 1; ; seed += 1) {
      const now = await this.ask({ action: 'legal_moves', variant, moves });
      if (now.outcome === 'draw') {
        moves = [];
      } else if (now.outcome !== null) {
        const { fen, currentPlayer } = await this.ask({
          action: 'legal_moves',
          variant,
          moves: moves.slice(0, -turns),
        });
        return { fen, side: currentPlayer, winner: now.outcome };
      }
      const { moveInfos } = await this.ask({ variant, moves, elo, seed });
      moves.push(moveInfos[0].move);
    }
  }

  stop() {
    this.#child.kill();
  }
}

/** A page in a context of its own. `close` fails if the page had an error or asked another origin for anything. */
export async function openPage({ browser, url }, { path = '', kept, ...options } = {}) {
  const settings = inFirefox ? settingsFor(options) : {};
  const another =
    Object.keys(settings).length > 0 ? await launchFirefox(process.env.FIREFOX, settings) : null;
  const context = await (another ?? browser).newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  if (inFirefox) scrollAsNeeded(page);
  page.setDefaultTimeout(30_000);
  const problems = [];
  const requests = [];
  page.on('pageerror', ({ message }) => {
    // To Firefox it is an error of the page that a test ends the server, or that the page's policy keeps out the style by
    // which Playwright readies a picture.
    if (!/^Firefox can’t establish a connection|blocked an inline style/.test(message))
      problems.push(message);
  });
  context.on('request', (request) => requests.push(request.url()));
  page.on('websocket', (socket) => requests.push(socket.url().replace(/^ws/, 'http')));
  // The browser's storage is filled before the page's own scripts run, once: a reload must find what the page kept.
  if (kept)
    await page.addInitScript((entries) => {
      // Firefox has a page without an address first, which has no storage.
      if (window.origin === 'null' || sessionStorage.getItem('begun')) return;
      sessionStorage.setItem('begun', 'yes');
      for (const [key, value] of Object.entries(entries))
        localStorage.setItem(
          `hippolyta.v1.${key}`,
          typeof value === 'string' ? value : JSON.stringify(value),
        );
    }, kept);
  await page.goto(url + path);
  const foreign = () =>
    requests.filter((asked) => /^http/.test(asked) && new URL(asked).host !== new URL(url).host);
  return {
    page,
    context,
    requests,
    problems,
    async close() {
      await context.close();
      await another?.close();
      const all = [...problems, ...foreign().map((asked) => `a request to ${asked}`)];
      if (all.length > 0) throw new Error(all.join('; '));
    },
  };
}

/** Seconds that no test takes, unless it waits for what does not come. */
const LONGEST = 600;

/** The end of a test, which comes. */
export async function inTime(test) {
  let late;
  const tooLate = new Promise((_, reject) => {
    late = setTimeout(() => reject(new Error(`no end after ${LONGEST} s`)), LONGEST * 1000);
  });
  return Promise.race([test, tooLate]).finally(() => clearTimeout(late));
}

/** Runs named tests one after another, prints a line for each, and ends the process: 1 if one failed. */
export async function run(tests, kind) {
  const host = await serve(kind);
  const browser = await launch();
  let failed = 0;
  const only = process.argv[2];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const begun = Date.now();
    const seconds = () => ((Date.now() - begun) / 1000).toFixed(1);
    try {
      // A test that leaves itself out says why.
      const reason = await inTime(test({ ...host, browser }));
      console.log(
        typeof reason === 'string' ? `left out: ${name}: ${reason}` : `ok   ${name} (${seconds()} s)`,
      );
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name} (${seconds()} s): ${error instanceof Error ? error.message : error}`);
    }
  }
  await browser.close();
  host.stop();
  process.exit(failed > 0 ? 1 : 0);
}
