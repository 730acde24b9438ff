// `npm run test:browser`: all tests in the browser for which the environment has what they need. See browser.mjs.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { has } from './browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const files = [];
if (has.socket || process.env.PAGE)
  files.push('board.mjs', 'learn.mjs', 'review.mjs', 'problems.mjs', 'access.mjs');
if (has.socket) files.push('play.mjs');
if (has.socket && has.worker) files.push('site.mjs');
if (files.length === 0) {
  console.error('set HIPPOLYTA to the engine (and HIPPOLYTA_SITE to the folder of the static page)');
  process.exit(2);
}
let failed = false;
for (const file of files) {
  const { status } = spawnSync(process.execPath, [join(here, file)], { stdio: 'inherit' });
  failed ||= status !== 0;
}
if (!has.worker) console.log('left out: site.mjs (HIPPOLYTA_SITE is not set)');
process.exit(failed ? 1 : 0);
