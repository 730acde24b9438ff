// `npm run build:package`: builds the npm package into package/dist: board, engine for browsers and for Node, types.
// ENGINE is the folder with the engine as WebAssembly (`cargo xtask engine`); without it the package has none.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
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

/** Changes what the build wrote. */
function change(name, from, to) {
  const file = join(dist, name);
  const text = readFileSync(file, 'utf8');
  if (!from.test(text)) throw new Error(`${name}: ${from} is not there`);
  writeFileSync(file, text.replace(from, to));
}
// Bundlers recognise a worker by this very expression, and leave an import alone that says so to each.
change('engine.js', /\s*\/\* @vite-ignore \*\/\s*(?=["']\.\/engine\.worker\.js["'])/, '');
change(
  'engine.worker.js',
  /import\(\s*\/\* @vite-ignore \*\//,
  'import(/* @vite-ignore */ /* webpackIgnore: true */',
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

const engine = join(dist, 'engine');
if (process.env.ENGINE) cpSync(resolve(process.env.ENGINE), engine, { recursive: true });
const named = (existsSync(engine) ? readdirSync(engine, { recursive: true, withFileTypes: true }) : [])
  .filter((entry) => entry.isFile() && /\.(js|wasm|bin)$/.test(entry.name))
  .map((entry) => relative(engine, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .map((name) => `  '${name}': new URL('./engine/${name}', import.meta.url).href,\n`);
writeFileSync(join(dist, 'files.js'), `export const files = {\n${named.join('')}};\n`);
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) cpSync(join(web, '..', name), join(here, name));
