// Workers of the page.
import { inBrowser } from './browser';

export const browser = inBrowser(
  () => new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' }),
);
