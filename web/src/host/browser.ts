// Workers and files as a browser has them.
import { fetched } from './fetched';
import { forbidden, watchPolicy } from './policy';
import type { Platform, WorkerLike } from './worker';

/** `spawn` makes a worker: bundlers want its address there, in an expression that they know. */
export function inBrowser(spawn: () => Worker): Platform {
  return {
    workerFile: 'engine.worker.js',
    spawn() {
      watchPolicy();
      return spawn() as unknown as WorkerLike;
    },
    read(url) {
      watchPolicy();
      return fetched(url);
    },
    forbidden,
  };
}
