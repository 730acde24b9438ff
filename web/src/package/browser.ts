import { fetched } from '../host/fetched';
import type { Platform, WorkerLike } from '../host/worker';
import { type Engine, type EngineOptions, startEngine } from './engine';

export * from './engine';

const platform: Platform = {
  // The build takes the comment away: bundlers of those who use the package are to see the worker.
  spawn: () =>
    new Worker(new URL(/* @vite-ignore */ './engine.worker.js', import.meta.url), {
      type: 'module',
    }) as unknown as WorkerLike,
  read: fetched,
};

/** Starts an engine in workers of this page. */
export function createEngine({
  folder = new URL(/* @vite-ignore */ './engine', import.meta.url),
}: EngineOptions = {}): Promise<Engine> {
  return startEngine(new URL(folder, document.baseURI).href.replace(/\/$/, ''), platform);
}
