// The npm package as its users meet it: packed, installed, in plain HTML with an import map (also in Firefox), from another
// origin, by Vite and webpack under a strict policy, and in Node.
// HIPPOLYTA is the engine. HIPPOLYTA_SITE has the engine as WebAssembly; without it a stand-in asks the program. With the
// argument `chores` only what takes too long for each change: a project of Next.js.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, createServer as develop } from 'vite';
import webpack from 'webpack';
import { DEBIANS_FIREFOX, inTime, launch, launchFirefox } from './browser.mjs';

const call = promisify(execFile);
const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const home = mkdtempSync(join(tmpdir(), 'hippolyta-package-'));
const site = process.env.HIPPOLYTA_SITE && join(process.env.HIPPOLYTA_SITE, 'engine');

/** The policy of README, and nothing else. */
const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src-attr 'unsafe-inline'";
const [README] = /(?<=```html\n)[\s\S]*?(?=```)/.exec(readFileSync(join(WEB, 'package/README.md'), 'utf8'));

/**
 * In place of the engine as WebAssembly: a module of one section without meaning, and a script that asks the program. Both
 * are longer than what bundlers write into their own files.
 */
function standIn() {
  const folder = join(home, 'stand-in');
  mkdirSync(folder);
  const section = Buffer.concat([Buffer.from([0, 0x81, 0x27, 0]), Buffer.alloc(4992)]);
  const module = Buffer.concat([Buffer.from('0061736d01000000', 'hex'), section]);
  writeFileSync(join(folder, 'hippolyta_web_bg.wasm'), module);
  writeFileSync(
    join(folder, 'hippolyta_web.js'),
    `export default async () => {};
     const inNode = typeof process !== 'undefined';
     const { spawnSync } = inNode ? process.getBuiltinModule('node:child_process') : {};
     export function answer(line) {
       let text;
       if (inNode) text = spawnSync(process.env.HIPPOLYTA, ['analyse'], { input: line, encoding: 'utf8' }).stdout;
       else {
         const request = new XMLHttpRequest();
         request.open('POST', new URL(import.meta.url).origin + '/answer', false);
         request.send(line);
         text = request.responseText;
       }
       for (const one of text.trim().split('\\n')) postMessage(one);
     } // ${'-'.repeat(5000)}`,
  );
  return folder;
}

/** Files of `folder`, and answers of the program for the stand-in. */
async function serve(folder, headers = {}) {
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm', css: 'text/css' };
  const asked = [];
  const server = createServer((request, answer) => {
    for (const [name, value] of Object.entries(headers)) answer.setHeader(name, value);
    if (request.method === 'POST') {
      let line = '';
      request.on('data', (data) => {
        line += data;
      });
      request.on('end', () => {
        const { stdout } = spawnSync(process.env.HIPPOLYTA, ['analyse'], { input: line, encoding: 'utf8' });
        answer.setHeader('Content-Type', 'text/plain');
        answer.end(stdout);
      });
      return;
    }
    const path = new URL(request.url, 'http://host').pathname.replace(/\/$/, '/index.html');
    asked.push(path);
    const file = join(folder, path);
    if (!existsSync(file)) return answer.writeHead(404).end();
    answer.setHeader('Content-Type', types[path.split('.').at(-1)] ?? 'application/octet-stream');
    answer.end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}/`, asked, stop: () => server.close() };
}

/** Two turns of the person by mouse, each answered by the engine. */
async function playedIn(browser, url) {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url);
  const inside = (what) => page.locator(`hippolyta-board .cell${what}`);
  for (const fired of [2, 4]) {
    // An amazon may be shut in: the first that has somewhere to go is moved.
    for (const kind of ['.own', '.move', '.fire']) {
      await inside(kind).first().waitFor({ timeout: 30_000 });
      await inside(kind).first().click();
    }
    await inside('[aria-label*="arrow"]')
      .nth(fired - 1)
      .waitFor({ timeout: 30_000 });
  }
  assert.deepEqual(errors, []);
  return page;
}

const tests = {
  async 'the package holds what it names, and its types are found'() {
    const lint = await call('npx', ['publint', 'run', '--strict', 'package'], { cwd: WEB });
    assert.match(lint.stdout, /All good/);
    await call('npx', ['attw', '--pack', 'package', '--profile', 'esm-only'], { cwd: WEB });
    const gzipped = (...names) =>
      names.reduce((sum, name) => sum + gzipSync(readFileSync(join(WEB, 'package/dist', name))).length, 0);
    const board = readFileSync(join(WEB, 'package/dist/board.js'), 'utf8');
    const shared = [...board.matchAll(/from "\.\/([^"]+)"/g)].map(([, name]) => name);
    assert.ok(gzipped('board.js', ...shared) < 40_000);
  },

  async 'the ten lines of its README, in plain HTML'(browser, firefox) {
    writeFileSync(join(home, 'index.html'), `<!doctype html><title>A game</title>\n${README}`);
    const host = await serve(home);
    if (firefox) await (await playedIn(firefox, host.url)).close();
    const page = await playedIn(browser, host.url);
    // Nothing is said of the page around it.
    assert.equal(await page.evaluate(() => document.styleSheets.length), 0);
    // By keyboard: one stop of Tab, arrow keys, and the prompt is spoken within the board.
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press('Tab');
    const focus = () =>
      page.evaluate(() => document.activeElement.shadowRoot?.activeElement?.getAttribute('data-square'));
    const first = await focus();
    assert.match(first ?? '', /^[a-f][1-6]$/);
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await page
      .locator('hippolyta-board [role="status"]', { hasText: 'Choose where it goes' })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    // In another language, which comes only when it is asked for.
    assert.equal(
      host.asked.some((path) => path.includes('/messages/')),
      false,
    );
    await page.evaluate(async () => {
      const folder = new URL('node_modules/hippolyta/dist/', document.baseURI);
      const { speak } = await import(new URL('board.js', folder).href);
      speak('it', await (await fetch(new URL('messages/it.json', folder))).json());
    });
    await page
      .locator('hippolyta-board [aria-label*="amazzone bianca"]')
      .first()
      .waitFor({ state: 'attached' });
    assert.equal(await page.locator('hippolyta-board div[lang="it"]').count(), 2);
    // A fault is told, and the board stays.
    const wrong = await page.evaluate(() => {
      const board = document.querySelector('hippolyta-board');
      return new Promise((resolve) => {
        board.addEventListener('wrong', ({ detail }) => resolve(detail), { once: true });
        board.fen = '6/6/x5/6/6/6 w';
      });
    });
    assert.match(wrong, /fen: 'x' is no piece/);
    assert.equal(await page.locator('hippolyta-board .cell').count(), 36);
    await page.close();
    host.stop();
  },

  async 'what a policy of the page forbids is named'(browser, firefox) {
    const host = await serve(home);
    for (const [policy, words] of [
      ["worker-src 'none'", /forbids \S*engine\.worker\S*, by worker-src\.$/],
      ["script-src 'self'", /forbids \S*wasm\S*, by script-src/],
      ["connect-src 'none'", /forbids \S*hippolyta_web_bg\.wasm, by connect-src\.$/],
    ])
      for (const one of [browser, firefox].filter(Boolean)) {
        writeFileSync(
          join(home, 'policy.html'),
          `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Strict</title>`,
        );
        const page = await one.newPage();
        await page.goto(`${host.url}policy.html`);
        const said = await page.evaluate(async (module) => {
          const { createEngine } = await import(module);
          return createEngine().then(
            () => 'it started',
            ({ message }) => message,
          );
        }, '/node_modules/hippolyta/dist/engine.js');
        assert.match(said, words, policy);
        await page.close();
      }
    host.stop();
  },

  async 'from another origin'(browser) {
    const other = await serve(home, { 'Access-Control-Allow-Origin': '*' });
    const page = join(home, 'other');
    mkdirSync(page);
    const html = README.replaceAll('./node_modules/', `${other.url}node_modules/`);
    writeFileSync(join(page, 'index.html'), `<!doctype html><title>A game</title>\n${html}`);
    const host = await serve(page);
    await (await playedIn(browser, host.url)).close();
    host.stop();
    other.stop();
  },

  async 'by Vite, as it is developed and as it is built, under a strict policy'(browser) {
    const page = join(home, 'vite');
    mkdirSync(page);
    writeFileSync(join(page, 'index.html'), README.replace(/^<script type="importmap">.*\n/, ''));
    cpSync(join(home, 'node_modules'), join(page, 'node_modules'), { recursive: true });
    const quiet = { root: page, configFile: false, logLevel: 'error' };
    await build({ ...quiet, build: { outDir: 'dist', target: 'es2022' } });
    const host = await serve(join(page, 'dist'), { 'Content-Security-Policy': STRICT });
    await (await playedIn(browser, host.url)).close();
    const server = { host: '127.0.0.1', port: 0, proxy: { '/answer': host.url } };
    const dev = await develop({ ...quiet, server });
    await dev.listen();
    // Vite may find what it has to prepare while the page loads, and loads it again.
    await (await browser.newPage()).goto(dev.resolvedUrls.local[0]);
    await (await playedIn(browser, dev.resolvedUrls.local[0])).close();
    await dev.close();
    host.stop();
  },

  async 'by webpack, under a strict policy'(browser) {
    const out = join(home, 'webpack');
    const [element] = /<hippolyta-board.*\n/.exec(README);
    const [, script] = /<script type="module">\n([\s\S]*?)<\/script>/.exec(README);
    writeFileSync(join(home, 'main.js'), script);
    const config = {
      context: home,
      mode: 'production',
      // The engine is larger than the advice.
      performance: false,
      entry: './main.js',
      output: { path: out, publicPath: 'auto' },
    };
    const done = await promisify(webpack)(config);
    assert.equal(done.toString({ all: false, errors: true, warnings: true }), '');
    writeFileSync(join(out, 'index.html'), `<!doctype html>${element}<script src="main.js"></script>`);
    const host = await serve(out, { 'Content-Security-Policy': STRICT });
    await (await playedIn(browser, host.url)).close();
    host.stop();
  },

  async 'for TypeScript that checks all declarations'() {
    const text = `import 'hippolyta/board';
      import { createEngine, QueryError } from 'hippolyta';
      export const engine = createEngine().catch((error: unknown) => error instanceof QueryError && error.field);
      document.querySelector('hippolyta-board')?.addEventListener('turn', ({ detail }) => detail.text);`;
    writeFileSync(join(home, 'check.ts'), text);
    const words =
      '--noEmit --strict --target es2022 --module nodenext --lib es2022,dom --types node check.ts';
    const tsc = join(WEB, 'node_modules/typescript/bin/tsc');
    await call(
      process.execPath,
      [tsc, '--typeRoots', join(WEB, 'node_modules/@types'), ...words.split(' ')],
      {
        cwd: home,
      },
    );
  },

  async 'in Node'() {
    writeFileSync(
      join(home, 'script.mjs'),
      `import 'hippolyta/board'; // as a server does that draws pages
       import { createEngine, NothingFound, QueryError } from 'hippolyta';
       const engine = await createEngine();
       const found = await engine.analyse({ variant: 'amazons6', nodes: 500 });
       const turns = await engine.legalTurns({ variant: 'amazons6' });
       const moves = ['b1b4,b4e4', 'a5a4,a4a3', 'e1e3,e3e2'];
       const progress = [];
       const reviewed = await engine.review(
         { variant: 'amazons6', moves },
         { nodes: 200, onProgress: (done, all) => progress.push([done, all]) },
       );
       const wrong = await engine.analyse({ variant: 'amazons6', fen: 'x' }).catch((error) => error);
       const ended = await engine
         .analyse({ nodes: 100 }, { signal: AbortSignal.abort() })
         .catch((error) => error instanceof NothingFound);
       // A stopped search keeps its tree; the stand-in cannot be stopped.
       let kept = true;
       if (${!!site}) {
         const query = { variant: 'amazons6', nodes: 1e9, keepTree: true };
         const stop = new AbortController();
         // Stopped by what it has found, not by a clock: on a busy machine little is found in any time.
         const onInterim = ({ rootInfo }) => rootInfo.visits > 1_000 && stop.abort();
         const first = await engine.analyse(query, { signal: stop.signal, onInterim });
         const second = await engine.analyse({ ...query, nodes: 100 });
         const { visits } = first.rootInfo;
         kept = !first.isDuringSearch && visits > 1_000 && second.rootInfo.visits > visits;
       }
       const lost = await createEngine({ folder: './nowhere' }).catch((error) => error.message);
       console.log(JSON.stringify({
         version: await engine.version(), best: found.moveInfos[0].move, turns: turns.length,
         verdicts: reviewed.moves.length, progress: progress.length, wrong: wrong instanceof QueryError && \`\${wrong.name} \${QueryError.name} \${wrong.field}\`,
         ended, kept, lost,
       }));`,
    );
    const { stdout } = await call(process.execPath, ['script.mjs'], { cwd: home, timeout: 120_000 });
    const { best, version, progress, lost, ...rest } = JSON.parse(stdout);
    assert.match(lost, /^The engine cannot be loaded: .*nowhere.hippolyta_web_bg\.wasm/);
    assert.match(version, /^\d+\.\d+/);
    assert.match(best, /^[a-f][1-6][a-f][1-6],/);
    assert.ok(progress >= 4);
    assert.deepEqual(rest, {
      turns: 544,
      verdicts: 3,
      wrong: 'QueryError QueryError fen',
      ended: true,
      kept: true,
    });
  },
};

/** Third-party packages of a third of a gigabyte. */
const NEXT = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'];

const chores = {
  async 'by Next.js, which draws the page on the server'(browser) {
    const project = join(home, 'next');
    const write = (name, text) => {
      mkdirSync(dirname(join(project, name)), { recursive: true });
      writeFileSync(join(project, name), text);
    };
    const [, script] = /import { createEngine }.*\n([\s\S]*?)<\/script>/.exec(README);
    write('package.json', '{ "private": true, "type": "module" }');
    write(
      'app/layout.jsx',
      'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
    );
    write('app/page.jsx', "import Game from './game';\nexport default () => <Game />;");
    write(
      'app/game.jsx',
      `'use client';
       import 'hippolyta/board';
       import { createEngine } from 'hippolyta';
       import { useEffect } from 'react';
       export default function Game() {
         useEffect(() => { (async () => { ${script} })(); }, []);
         return <hippolyta-board variant="amazons6" interactive="" />;
       }`,
    );
    // For the stand-in.
    write(
      'app/answer/route.js',
      `import { spawnSync } from 'node:child_process';
       export async function POST(request) {
         const input = await request.text();
         return new Response(spawnSync(process.env.HIPPOLYTA, ['analyse'], { input, encoding: 'utf8' }).stdout);
       }`,
    );
    await call('npm', ['install', '--silent', '--no-audit', ...NEXT, join(home, packed.trim())], {
      cwd: project,
    });
    const next = join(project, 'node_modules/next/dist/bin/next');
    const options = { cwd: project, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } };
    await call(process.execPath, [next, 'build'], options);
    const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', '0'], options);
    try {
      const url = await new Promise((done, fail) => {
        server.once('exit', () => fail(new Error('next start has ended')));
        server.stdout.on('data', (said) => {
          const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
          if (found) done(found[0]);
        });
      });
      await (await playedIn(browser, url)).close();
    } finally {
      server.kill();
    }
  },
};

await call('npm', ['run', '--silent', 'build:package'], {
  cwd: WEB,
  env: { ...process.env, ENGINE: site ?? standIn() },
});
const { stdout: packed } = await call('npm', ['pack', '--silent', '--pack-destination', home], {
  cwd: join(WEB, 'package'),
});
writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }');
await call('npm', ['install', '--silent', '--offline', '--no-audit', `./${packed.trim()}`], { cwd: home });

const browser = await launch();
const firefox = existsSync(DEBIANS_FIREFOX) ? await launchFirefox(DEBIANS_FIREFOX) : null;
if (!firefox) console.log(`left out: the package in Firefox (there is no ${DEBIANS_FIREFOX})`);
let failed = 0;
for (const [name, test] of Object.entries(process.argv[2] === 'chores' ? chores : tests)) {
  const begun = Date.now();
  try {
    await inTime(test(browser, firefox));
    console.log(`ok   ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${error instanceof Error ? `${error.message}${error.stderr ?? ''}` : error}`);
  }
}
await Promise.all([browser.close(), firefox?.close()]);
rmSync(home, { recursive: true, force: true });
process.exit(failed > 0 ? 1 : 0);
