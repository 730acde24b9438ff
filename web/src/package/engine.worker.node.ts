// What a worker finds in a browser, for the worker of the engine in Node.
import { parentPort } from 'node:worker_threads';

const scope = globalThis as unknown as {
  self: unknown;
  postMessage: (message: unknown) => void;
  onmessage?: (event: { data: unknown }) => void;
};
scope.self = globalThis;
scope.postMessage = (message) => parentPort?.postMessage(message);
const loaded = import('../host/engine.worker');
parentPort?.on('message', async (data) => {
  await loaded;
  scope.onmessage?.({ data });
});
