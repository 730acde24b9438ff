import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';
import type { FromWorker } from '../host/engine.worker';
import type { Platform, WorkerLike } from '../host/worker';
import { type Engine, type EngineOptions, startEngine } from './engine';

export * from './engine';

const WORKER = 'engine.worker.node.js';

/** A worker of Node's behind the face of a browser's. */
class NodeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onmessageerror: WorkerLike['onmessageerror'] = null;
  onerror: WorkerLike['onerror'] = null;
  private readonly thread = new Thread(new URL(/* @vite-ignore */ `./${WORKER}`, import.meta.url));

  constructor() {
    this.thread.on('message', (data: FromWorker) => {
      // All was said: a program that has nothing else to do may end, as if the engine were a function.
      if (typeof data === 'object') this.thread.unref();
      this.onmessage?.({ data });
    });
    this.thread.on('messageerror', () => this.onmessageerror?.());
    this.thread.on('error', (error: Error) => this.onerror?.({ message: error.message }));
    this.thread.on('exit', (code) => this.onerror?.({ message: `ended with code ${code}` }));
  }

  postMessage(message: unknown): void {
    this.thread.ref();
    this.thread.postMessage(message);
  }

  terminate(): void {
    void this.thread.terminate();
  }
}

const platform: Platform = {
  workerFile: WORKER,
  spawn: () => new NodeWorker(),
  read: async (url) => (await readFile(new URL(url))).buffer as ArrayBuffer,
};

/** Starts an engine in threads of this process. */
export async function createEngine({
  folder = new URL(/* @vite-ignore */ './engine', import.meta.url),
}: EngineOptions = {}): Promise<Engine> {
  const url = folder instanceof URL || /^\w\w+:/.test(folder) ? new URL(folder) : pathToFileURL(folder);
  return startEngine(url.href.replace(/\/$/, ''), platform);
}
