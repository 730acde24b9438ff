// `npm run build:package`: builds the npm package into package/dist: board, engine for browsers and for Node, types.
// ENGINE is the folder with the engine as WebAssembly (`cargo xtask engine`); without it the package has none.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages, messagesOf } from './messages.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const web = dirname(here);
const dist = join(here, 'dist');

function run(program, args, env = {}) {
  const { status } = spawnSync(process.execPath, [join(web, 'node_modules', program), ...args], {
    cwd: web,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}

rmSync(dist, { recursive: true, force: true });
const vite = ['build', '--config', 'vite.package.config.ts', '--logLevel', 'error'];
run('vite/bin/vite.js', vite);
run('vite/bin/vite.js', vite, { PACKAGE_FOR: 'node' });

// Bundlers recognise a worker by this very expression.
const script = join(dist, 'engine.js');
writeFileSync(
  script,
  readFileSync(script, 'utf8').replace(/\s*\/\* @vite-ignore \*\/\s*(?=["']\.\/engine\.worker\.js["'])/, ''),
);

/** The declarations that the entries lead to, with the endings that Node wants. */
function declarations() {
  const all = join(dist, 'all-types');
  run('typescript/bin/tsc', ['--project', 'tsconfig.package.json', '--outDir', all]);
  const waiting = ['board', 'browser', 'node'].map((entry) => `package/${entry}.d.ts`);
  const done = new Set();
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (done.has(file)) continue;
    done.add(file);
    const text = readFileSync(join(all, file), 'utf8').replace(
      /(from|import\() ?'(\.[^']+)'/g,
      (_, word, to) => {
        waiting.push(join(dirname(file), `${to}.d.ts`));
        return `${word} '${to}.js'`;
      },
    );
    mkdirSync(join(dist, 'types', dirname(file)), { recursive: true });
    writeFileSync(join(dist, 'types', file), text);
  }
  rmSync(all, { recursive: true });
}
declarations();

mkdirSync(join(dist, 'messages'));
for (const language of languages.filter((one) => one !== 'en'))
  writeFileSync(
    join(dist, 'messages', `${language}.json`),
    `${JSON.stringify(messagesOf(language), null, 2)}\n`,
  );

if (process.env.ENGINE) cpSync(resolve(process.env.ENGINE), join(dist, 'engine'), { recursive: true });
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) cpSync(join(web, '..', name), join(here, name));
