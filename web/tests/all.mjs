// `npm run test:browser`: all tests in the browser for which the environment has what they need, two files at a time, as
// they wait for most of their time. See browser.mjs. What may differ by browser runs in Firefox, too, if there is one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEBIANS_FIREFOX, has } from './browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const page = has.socket || !!process.env.PAGE;
/** The longest first. */
const files = Object.entries({
  'play.mjs': has.socket,
  'review.mjs': page,
  'access.mjs': page,
  'learn.mjs': page,
  'site.mjs': has.socket && has.worker,
  'package.mjs': has.socket,
  'board.mjs': page,
  'layout.mjs': page,
  'settings.mjs': page,
  'language.mjs': page,
  'ways.mjs': has.socket,
  'history.mjs': has.socket,
  'explorer.mjs': page,
  'embed.mjs': has.socket,
  'problems.mjs': page,
}).flatMap(([file, wanted]) => (wanted ? [[file]] : []));
if (files.length === 0) {
  console.error('set HIPPOLYTA to the engine (and HIPPOLYTA_SITE to the folder of the static page)');
  process.exit(2);
}

const { FIREFOX = DEBIANS_FIREFOX, ...environment } = process.env;
const hasFirefox = existsSync(FIREFOX);
if (hasFirefox && has.socket)
  files.push(
    ['play.mjs', 'a whole game', { FIREFOX }],
    ['board.mjs', '', { FIREFOX }],
    ['layout.mjs', 'in every window', { FIREFOX }],
    ['access.mjs', '', { FIREFOX }],
    ['ways.mjs', '', { FIREFOX }],
    ['embed.mjs', '', { FIREFOX }],
    ['explorer.mjs', '', { FIREFOX }],
    ['review.mjs', 'mistakes become', { FIREFOX }],
  );

/** Runs a file; what it says is shown at its end, so that the files' lines do not mix. */
function run([file, only = '', more = {}]) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(here, file), only], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, ...more },
    });
    const said = more.FIREFOX ? [Buffer.from(`in Firefox, ${file}:\n`)] : [];
    child.stdout.on('data', (data) => said.push(data));
    child.stderr.on('data', (data) => said.push(data));
    child.once('error', reject);
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(said));
      resolve(status === 0);
    });
  });
}

let passed = true;
async function lane() {
  for (let file = files.shift(); file; file = files.shift()) passed = (await run(file)) && passed;
}
await Promise.all([lane(), lane()]);
if (!has.worker) console.log('left out: site.mjs (HIPPOLYTA_SITE is not set)');
if (!hasFirefox) console.log(`left out: the tests in Firefox (there is no ${FIREFOX})`);
process.exit(passed ? 0 : 1);
