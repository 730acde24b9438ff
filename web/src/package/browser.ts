import { inBrowser } from '../host/browser';
import { type Engine, type EngineOptions, startEngine } from './engine';

export * from './engine';

// The build takes the comment away: bundlers of those who use the package are to see the worker.
const platform = inBrowser(
  () => new Worker(new URL(/* @vite-ignore */ './engine.worker.js', import.meta.url), { type: 'module' }),
);

/** Starts an engine in workers of this page, or of the worker that asks. */
export async function createEngine({
  folder = new URL(/* @vite-ignore */ './engine', import.meta.url),
}: EngineOptions = {}): Promise<Engine> {
  // A worker has no document.
  const base = globalThis.document?.baseURI ?? location.href;
  return startEngine(new URL(folder, base).href.replace(/\/$/, ''), platform);
}
