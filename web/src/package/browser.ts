import { inBrowser } from '../host/browser';
import { type Engine, type EngineOptions, startEngine } from './engine';
import { files } from './files';

export * from './engine';

// The build takes the comment away: bundlers of those who use the package are to see the worker.
const beside = () =>
  new Worker(new URL(/* @vite-ignore */ './engine.worker.js', import.meta.url), { type: 'module' });

/** A module of another origin is no worker, but one of this origin may import it. */
function fromElsewhere(url: string): Worker {
  const script = `import ${JSON.stringify(url)};`;
  return new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'module' });
}

const platform = inBrowser(() => {
  // Not by `new URL`: bundlers would look for that.
  const url = import.meta.url.replace(/[^/]*$/, 'engine.worker.js');
  return url.startsWith('http') && new URL(url).origin !== location.origin ? fromElsewhere(url) : beside();
});

/** Starts an engine in workers of this page, or of the worker that asks. */
export async function createEngine({ folder }: EngineOptions = {}): Promise<Engine> {
  if (folder === undefined) return startEngine('.', platform, files);
  // A worker has no document.
  const base = globalThis.document?.baseURI ?? location.href;
  return startEngine(new URL(folder, base).href.replace(/\/$/, ''), platform);
}
