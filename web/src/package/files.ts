import type { Files } from '../host/engine.worker';

/** The build of the package names every file here by an expression that bundlers know: they take no folders along. */
export const files: Files = {};
