// Names that a worker has in a browser, for the worker of the engine in Node.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const scope = globalThis as unknown as {
  self: unknown;
  postMessage: (message: unknown) => void;
  readNow: (url: string) => Uint8Array;
  onmessage?: (event: { data: unknown }) => void;
  onmessageerror?: () => void;
};
scope.self = globalThis;
scope.postMessage = (message) => parentPort?.postMessage(message);
scope.readNow = (url) => readFileSync(new URL(url));
const loaded = import('../host/engine.worker');
parentPort?.on('message', async (data) => {
  await loaded;
  scope.onmessage?.({ data });
});
parentPort?.on('messageerror', async () => {
  await loaded;
  scope.onmessageerror?.();
});
