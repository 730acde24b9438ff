// Runs the unit tests: Vite bundles them (Node 20 cannot read TypeScript), `node --test` runs the bundle.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const out = join(root, '.tests');
const tests = readdirSync(join(here, 'unit')).filter((name) => name.endsWith('.test.ts'));
rmSync(out, { recursive: true, force: true });
await build({
  root,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: true,
    outDir: out,
    minify: false,
    rollupOptions: { input: tests.map((name) => join(here, 'unit', name)) },
  },
});
const files = readdirSync(out).filter((name) => name.endsWith('.test.js'));
const run = spawnSync(process.execPath, ['--test', ...files.map((name) => join(out, name))], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
