// Workers and files as a browser has them.
import { fetched } from './fetched';
import type { Platform, WorkerLike } from './worker';

export const browser: Platform = {
  spawn: () =>
    new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' }) as unknown as WorkerLike,
  read: fetched,
};
