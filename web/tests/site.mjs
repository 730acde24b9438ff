// The static page with the engine as WebAssembly. HIPPOLYTA_SITE is its folder, HIPPOLYTA the native engine that it is
// compared with.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Native, openPage, run } from './browser.mjs';
import { isReadAsByConvert, ODD_FILES } from './formats.mjs';
import { engine, HUMAN, keptBy, keptGame, playOut, squaresOf, until, ways } from './game.mjs';

const SITE = process.env.HIPPOLYTA_SITE;
const START6 = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1';
const native = new Native();
process.on('exit', () => native.stop());

/** The best turn by the page's own worker, as the page starts it. */
function bestInWorker(page, query) {
  const worker = readdirSync(join(SITE, 'assets')).find((name) => /^engine\.worker.*\.js$/.test(name));
  return page.evaluate(
    async ([worker, line]) => {
      const module = await WebAssembly.compile(
        await (await fetch('./engine/hippolyta_web_bg.wasm')).arrayBuffer(),
      );
      const engine = new Worker(new URL(worker, document.baseURI), { type: 'module' });
      const answer = await new Promise((resolve, reject) => {
        engine.onmessage = ({ data }) => {
          if (typeof data !== 'string') {
            if (data.ready) engine.postMessage({ line, number: 1 });
            else if (data.failed) reject(new Error(data.failed));
          } else if (!JSON.parse(data).warning) {
            resolve(JSON.parse(data));
          }
        };
        const { href: script } = new URL('./engine/hippolyta_web.js', document.baseURI);
        engine.postMessage({ script, files: {}, module, ended: null });
      });
      engine.terminate();
      return answer;
    },
    [`./assets/${worker}`, JSON.stringify({ ...query, id: 'best' })],
  );
}

const POSITIONS = [
  ['amazons', []],
  ['amazons', ['d1d7,d7g7', 'g10g8,g8e8']],
  ['desdemona', []],
  ['iago', []],
  ['damone', []],
  ['damone-imperatore', ['g4f5']],
  ['past', [], '[past:amazons]\nwallingRule = past\n'],
];

const answered = (page, count, timeout) =>
  until(`turn ${count}`, async () => (await keptBy(page)).turns.length >= count, timeout);

const seen = (page) => page.locator('.player.to-move').waitFor();

await run(
  {
    async 'a whole game against the worker'(host) {
      const { fen, side } = await native.nearEnd('amazons6', 6);
      const players = { white: HUMAN, black: HUMAN };
      players[side === 'white' ? 'black' : 'white'] = engine('skilled');
      const { page, close } = await openPage(host, { kept: keptGame('amazons6', fen, players) });
      await playOut(page, native, ways.mouse);
      await page.locator('.result').waitFor();
      await close();
    },

    async 'the best turn equals the native engine’s at 5,000 nodes'(host) {
      const { page, close } = await openPage(host);
      for (const [variant, wanted, rules] of POSITIONS) {
        const { moves: legal } = await native.ask({ action: 'legal_moves', variant, rules });
        const moves = wanted.length === 0 || legal.includes(wanted[0]) ? wanted : [legal[0]];
        const query = { variant, rules, moves, nodes: 5000, seed: 1 };
        const here = await bestInWorker(page, query);
        const there = await native.ask(query);
        const name = `${variant} after ${moves.length} turns`;
        assert.equal(here.moveInfos[0].move, there.moveInfos[0].move, name);
        assert.equal(here.rootInfo.nodes, there.rootInfo.nodes, `nodes of ${name}`);
        assert.equal(here.rootInfo.winrate, there.rootInfo.winrate, `win rate of ${name}`);
      }
      await close();
    },

    async 'what one rule set wants comes when it is played'(host) {
      const kept = keptGame('amazons6', START6, { white: HUMAN, black: engine('casual') });
      const { page, close } = await openPage(host, { kept });
      const came = () => [...host.asked.keys()].filter((path) => path.endsWith('.bin')).sort();
      await seen(page);
      host.asked.clear();
      await ways.mouse(page, squaresOf('b1b4,b4c4'));
      await answered(page, 2);
      assert.deepEqual(came(), ['/engine/weights/amazons-6x6.bin']);
      host.asked.clear();
      await bestInWorker(page, { variant: 'damone', nodes: 500 });
      assert.deepEqual(came(), ['/engine/endgames/damone.bin', '/engine/weights/damone.bin']);
      await close();
    },

    async 'without the weights of its rule set the engine says that it is away, and plays once they are there'(
      host,
    ) {
      const path = '/engine/weights/amazons-6x6.bin';
      host.changed.set(path, 'not this');
      const kept = keptGame('amazons6', START6, { white: HUMAN, black: engine('casual') });
      const { page, close } = await openPage(host, { kept });
      // On a quick machine it has tried as often as it does before there is time for the banner.
      const said = page.locator('.banner.away').or(page.locator('.problem', { hasText: 'has failed' }));
      await said
        .first()
        .waitFor()
        .finally(() => host.changed.delete(path));
      await page.reload();
      await seen(page);
      await ways.mouse(page, squaresOf('b1b4,b4c4'));
      await answered(page, 2);
      await close();
    },

    async 'files are read as by the native engine'(host) {
      const { page, close } = await openPage(host);
      for (const name of ['gb.sgf', 'illegal.pgn', 'lines.jsonl'])
        await isReadAsByConvert(page, name, ODD_FILES[name]);
      await close();
    },

    async 'taking back stops the worker, which then plays on'(host) {
      const players = { white: HUMAN, black: engine('full') };
      const kept = keptGame('amazons6', START6, players, { movetime: 20_000 });
      const { page, close } = await openPage(host, { kept });
      await seen(page);
      await ways.mouse(page, squaresOf('b1b4,b4c4'));
      await page.locator('.player-state.thinking').waitFor();
      await page.waitForTimeout(600);
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.getByRole('button', { name: 'Hint' }).click();
      await page.locator('.turn-arrow.hint').first().waitFor();
      await close();
    },

    async 'the engine dies while it searches: the game goes on'(host) {
      const path = '/engine/hippolyta_web.js';
      const script = readFileSync(join(SITE, path), 'utf8');
      // A search ends as a failure in WebAssembly ends it, as long as there is a file that says so.
      const sign = '/engine/dies';
      host.changed.set(sign, 'yes');
      host.changed.set(
        path,
        `${script.replace('export function answer(', 'function answerWell(')}
         export function answer(line) {
           if (/"analyse"/.test(line)) {
             const request = new XMLHttpRequest();
             request.open('GET', '${sign}', false);
             request.send();
             if (request.status === 200) throw new WebAssembly.RuntimeError('unreachable');
           }
           answerWell(line);
         }`,
      );
      const kept = keptGame('amazons6', START6, { white: HUMAN, black: engine('casual') });
      const { page, close } = await openPage(host, { kept });
      await seen(page);
      await ways.mouse(page, squaresOf('b1b4,b4c4'));
      await until('the engine has died', () => host.asked.get(sign) > 0);
      host.changed.delete(sign);
      await answered(page, 2);
      await page.locator('.banner.away').waitFor({ state: 'detached' });
      assert.equal((await keptBy(page)).turns[0], 'b1b4,b4c4');
      host.changed.delete(path);
      await close();
    },

    async 'without memory for the engine the page says so'(host) {
      const path = '/engine/hippolyta_web.js';
      const script = readFileSync(join(SITE, path), 'utf8');
      host.changed.set(
        path,
        script.replace(
          'export function answer(line) {',
          'export function answer(line) { if (/"analyse"/.test(line)) throw new RangeError("WebAssembly.Memory.grow(): out of memory");',
        ),
      );
      const kept = keptGame('amazons6', START6, { white: engine('casual'), black: HUMAN });
      const { page, close } = await openPage(host, { kept });
      // It is asked three times; then the page says what happened and stays usable.
      await page.locator('.problem', { hasText: 'There is not enough memory' }).waitFor({ timeout: 20_000 });
      host.changed.delete(path);
      await page.getByRole('button', { name: 'Let the engine play' }).click();
      await page.waitForTimeout(300);
      await page.reload();
      await answered(page, 1);
      await close();
    },

    async 'no request leaves the origin'(host) {
      const { page, requests, close } = await openPage(host);
      await seen(page);
      for (const name of ['Analyse', 'Review', 'Learn', 'Play']) {
        await page.getByRole('navigation').first().getByRole('button', { name, exact: true }).click();
        await page.waitForTimeout(300);
      }
      assert.ok(
        requests.some((url) => url.endsWith('.wasm')),
        'requests are seen',
      );
      await close();
    },

    async 'the page works without a network after its first visit'(host) {
      const kept = keptGame('amazons6', START6, { white: HUMAN, black: engine('casual') });
      const { page, context, close } = await openPage(host, { kept });
      await seen(page);
      await page.evaluate(async () => {
        const { active } = await navigator.serviceWorker.ready;
        if (active.state !== 'activated')
          await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }));
      });
      await context.setOffline(true);
      await page.reload();
      await seen(page);
      await ways.mouse(page, squaresOf('b1b4,b4c4'));
      await answered(page, 2);
      await page.goto(`${host.url}index.html`);
      await seen(page);
      await close();
    },
  },
  'worker',
);
