import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Files of the engine for some rule sets, as `cargo xtask web` puts them beside it. */
const parts = Object.entries({ weights: '../src/eval/weights', endgames: '../src/endgame/damone' }).flatMap(
  ([name, folder]) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.bin'))
      .sort()
      .map((file) => `./engine/${name}/${file}`),
);

/** Writes the service worker, with the names of all files of the page and a version that changes with any of them. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle(_, bundle) {
      const hash = createHash('sha256');
      const files = ['./', './index.html'];
      for (const name of Object.keys(bundle).sort()) {
        const part = bundle[name]!;
        hash.update(name).update(part.type === 'chunk' ? part.code : part.source);
        if (name !== 'index.html') files.push(`./${name}`);
      }
      for (const name of readdirSync('public').sort()) {
        // The engine is built on its own, and may lie here while the page is worked on.
        if (name === 'engine') continue;
        hash.update(name).update(readFileSync(`public/${name}`));
        files.push(`./${name}`);
      }
      const source = readFileSync('src/service-worker.js', 'utf8');
      hash.update(source);
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: source
          .replace('__PARTS__', JSON.stringify(parts))
          .replace('__VERSION__', hash.digest('hex').slice(0, 16))
          .replace('__FILES__', JSON.stringify(files)),
      });
    },
  };
}

/** The most bytes, compressed, that a first visitor waits for, the engine apart. */
const MOST_BYTES = 115_000;

/** Fails if what the page needs at its start grows too large. */
function sizeLimit(): Plugin {
  return {
    name: 'size-limit',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        // The unit tests are no page.
        if (this.environment.config.build.ssr) return;
        const needed = new Set<string>();
        const need = (name: string) => {
          const part = bundle[name];
          if (part === undefined || needed.has(name)) return;
          needed.add(name);
          if (part.type !== 'chunk') return;
          for (const other of [...part.imports, ...(part.viteMetadata?.importedCss ?? [])]) need(other);
        };
        for (const [name, part] of Object.entries(bundle))
          if (part.type === 'chunk' && part.isEntry) need(name);
        const sizes = [...needed].map((name) => {
          const part = bundle[name]!;
          return gzipSync(part.type === 'chunk' ? part.code : part.source, { level: 9 }).length;
        });
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        this.info(`${bytes} bytes, compressed, at the start`);
        if (bytes > MOST_BYTES) this.error(`the page has more than ${MOST_BYTES} bytes, compressed`);
      },
    },
  };
}

export default defineConfig({
  // Relative addresses: the page works in any folder of any host.
  base: './',
  // The program's package holds the page, so that it is whole where it is published.
  build: {
    outDir: '../crates/app/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  plugins: [serviceWorker(), sizeLimit()],
  server: {
    // While the page is built by hand, `hippolyta serve` (or a bridge) answers at port 8080.
    proxy: { '/ws': { target: 'ws://127.0.0.1:8080', ws: true } },
    // The look of the board lies among the engine's sources.
    fs: { allow: ['.', '../crates/protocol/src/pictures'] },
  },
});
