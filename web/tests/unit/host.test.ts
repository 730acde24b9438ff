// The engine in workers, with workers that fail in every way: whatever is asked has an end, and errors say what failed.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { FromWorker, ToWorker } from '../../src/host/engine.worker';
import type { Platform, WorkerLike } from '../../src/host/worker';
import { type Engine, startEngine } from '../../src/package/engine';

const FOLDER = 'https://site.example/engine';
/** The least module. */
const MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0).buffer;

type Say = (message: FromWorker) => void;
/** What a worker does with a message; by default it is ready, and silent on every query. */
type Way = (message: ToWorker, say: Say, worker: FakeWorker) => void;

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  onerror: WorkerLike['onerror'] = null;
  ended = false;

  constructor(private readonly way: Way) {}

  postMessage(message: ToWorker): void {
    queueMicrotask(() => {
      if (!this.ended) this.way(message, (data) => this.ended || this.onmessage?.({ data }), this);
    });
  }

  terminate(): void {
    this.ended = true;
  }
}

const silent: Way = (message, say) => {
  if ('module' in message) say({ ready: true });
};

function platform(way: Way, more: Partial<Platform> = {}) {
  const workers: FakeWorker[] = [];
  const spawn = () => {
    workers.push(new FakeWorker(way));
    return workers.at(-1)!;
  };
  return { workers, workerFile: 'engine.worker.js', spawn, read: async () => MODULE, ...more };
}

const start = (way: Way) => startEngine(FOLDER, platform(way));

const fails = (message: string): never => {
  throw new Error(message);
};

const refusals: [string, Way, Partial<Platform>, RegExp][] = [
  ['no worker may be made', silent, { spawn: () => fails('Access is denied') }, /engine\.worker\.js: Access/],
  [
    'a policy forbids the worker',
    silent,
    { spawn: () => fails('x'), forbidden: async () => 'Forbidden by worker-src.' },
    /^Forbidden by worker-src\.$/,
  ],
  ['the worker has no script', (_, __, worker) => worker.onerror?.({}), {}, /engine\.worker\.js\.$/],
  [
    'its messages cannot be read',
    (_, __, worker) => worker.onmessageerror?.(),
    {},
    /engine\.worker\.js: a message of the worker cannot be read/,
  ],
  [
    'the script of the engine is not there',
    (_, say) => say({ failed: 'no such module: hippolyta_web.js' }),
    {},
    /engine\.worker\.js: no such module: hippolyta_web\.js/,
  ],
  [
    'memory runs out',
    (_, say) => say({ failed: 'RangeError: Out of memory' }),
    {},
    /There is not enough memory/,
  ],
  [
    'the engine is not there',
    silent,
    { read: async (url) => fails(`${url}: 404`) },
    /loaded: https:\/\/site\.example\/engine\/hippolyta_web_bg\.wasm: 404\.$/,
  ],
  [
    'a page is in its place',
    silent,
    { read: async () => new TextEncoder().encode('<!doctype html>').buffer },
    /hippolyta_web_bg\.wasm: this is no WebAssembly/,
  ],
  [
    'its module is broken',
    silent,
    { read: async () => Uint8Array.of(0, 97, 115, 109, 9, 9, 9, 9).buffer },
    /This browser is too old/,
  ],
  [
    'a policy forbids to compile it',
    silent,
    { read: async () => fails('Refused to compile: violates the Content Security Policy') },
    /forbids https:.*\.wasm, by script-src without 'wasm-unsafe-eval'/,
  ],
];
for (const [name, way, more, message] of refusals)
  test(`an engine that cannot be started says why: ${name}`, async () => {
    const host = platform(way, more);
    await assert.rejects(startEngine(FOLDER, host), { message });
    assert.ok(host.workers.every((worker) => worker.ended));
  });

/** Lets promises settle and time pass, again and again. */
async function pass(seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at += 1) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    mock.timers.tick(1_000);
  }
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function inMockedTime(done: () => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    await done();
  } finally {
    mock.timers.reset();
  }
}

test('an engine that never comes is waited for in vain, not for ever', async () => {
  for (const [way, more, workers, seconds, message] of [
    [() => {}, {}, 2, 61, /engine\.worker\.js: not ready after 60 s/],
    [silent, { read: () => new Promise(() => {}) }, 0, 301, /hippolyta_web_bg\.wasm: not there after 300 s/],
  ] as [Way, Partial<Platform>, number, number, RegExp][])
    await inMockedTime(async () => {
      const made = platform(way, more);
      const refused = assert.rejects(startEngine(FOLDER, made), { message });
      // The module is compiled in time that is not mocked.
      while (made.workers.length < workers) await new Promise((resolve) => setImmediate(resolve));
      await pass(seconds);
      await refused;
    });
});

/** Whatever can be asked of an engine. */
const everything = (engine: Engine): Promise<unknown>[] => [
  engine.version(),
  engine.analyse({ variant: 'amazons6', nodes: 1e9 }),
  engine.analyse({ variant: 'amazons6', nodes: 5 }),
  engine.position({}),
  engine.legalTurns({}),
  engine.review({ moves: ['d1d7,d7g7'] }),
  engine.ask({ action: 'variants' }),
];

const rejections = async (asked: Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map((one) =>
    one.status === 'rejected' ? String(one.reason) : 'answered',
  );

test('what is asked of an engine that is closed rejects, before and after', async () => {
  const engine = await start(silent);
  const asked = rejections(everything(engine));
  engine.close();
  engine.close();
  const closed = 'Error: The engine was closed.';
  assert.deepEqual(new Set(await asked), new Set([closed]));
  assert.deepEqual(new Set(await rejections(everything(engine))), new Set([closed]));
});

test('what is asked of an engine that dies and cannot be had again rejects, and so does what is asked later', () =>
  inMockedTime(async () => {
    const made = platform(silent);
    const { spawn } = made;
    const engine = await startEngine(FOLDER, made);
    const asked = rejections(everything(engine));
    made.spawn = () => fails('no more workers');
    made.workers[0]!.onerror?.({ message: 'unreachable' });
    await pass(2);
    const gone = 'Error: The engine cannot be loaded: engine.worker.js: no more workers.';
    assert.deepEqual(new Set(await asked), new Set([gone]));
    const later = rejections([engine.version()]);
    await pass(16);
    assert.deepEqual(await later, [gone]);
    // It is tried again all the time: what is asked once there are workers is answered.
    made.spawn = () => {
      made.workers.push(
        new FakeWorker((message, say) => {
          if ('module' in message) say({ ready: true });
          else say(JSON.stringify({ id: JSON.parse(message.line).id, action: 'version', version: '9' }));
        }),
      );
      return made.workers.at(-1)!;
    };
    const answered = engine.version();
    await pass(16);
    assert.equal(await answered, '9');
    made.spawn = spawn;
    engine.close();
  }));

test('a query that ends the engine each time is given up with the reason', () =>
  inMockedTime(async () => {
    const engine = await start((message, say) => {
      if ('module' in message) say({ ready: true });
      else say({ failed: `${FOLDER}/weights/amazons.bin: 404` });
    });
    const asked = rejections([engine.analyse({ nodes: 10 }), engine.version()]);
    await pass(8);
    const reason = `Error: The engine has failed: ${FOLDER}/weights/amazons.bin: 404.`;
    assert.deepEqual(await asked, [reason, reason]);
    engine.close();
  }));

test('a search that was stopped is not begun again when the engine comes back', () =>
  inMockedTime(async () => {
    const lines: string[] = [];
    const made = platform((message, say) => {
      if ('module' in message) say({ ready: true });
      else lines.push(message.line);
    });
    const engine = await startEngine(FOLDER, made);
    const stop = new AbortController();
    const asked = rejections([engine.analyse({ nodes: 1e9 }, { signal: stop.signal })]);
    await pass(0);
    stop.abort();
    made.workers[1]!.onerror?.({ message: 'died' });
    await pass(2);
    assert.deepEqual(await asked, ['NothingFound: stopped before anything was found']);
    assert.equal(lines.length, 1);
    engine.close();
  }));
