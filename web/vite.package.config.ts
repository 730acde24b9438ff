// The npm package: the board as a custom element, and the engine for browsers and for Node. `npm run build:package`.
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

const node = process.env.PACKAGE_FOR === 'node';

/** The groups of messages that the package says; the page has many more. */
const SAID = ['board', 'host', 'piece', 'pieces', 'side', 'turn'];

function fewMessages(): Plugin {
  return {
    name: 'few-messages',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/messages/en.json')) return null;
      const groups = Object.entries(JSON.parse(readFileSync(id, 'utf8')) as object);
      return JSON.stringify(Object.fromEntries(groups.filter(([name]) => SAID.includes(name))));
    },
  };
}

export default defineConfig({
  plugins: [fewMessages()],
  publicDir: false,
  // Files lie beside the module that asks for them, wherever that is.
  base: './',
  build: {
    outDir: 'package/dist',
    emptyOutDir: !node,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ssr: node,
    minify: true,
    lib: {
      entry: node
        ? { 'engine.node': 'src/package/node.ts', 'engine.worker.node': 'src/package/engine.worker.node.ts' }
        : {
            board: 'src/package/board.tsx',
            engine: 'src/package/browser.ts',
            'engine.worker': 'src/host/engine.worker.ts',
          },
      formats: ['es'],
    },
    rollupOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
  },
  ssr: { noExternal: true },
  worker: { format: 'es' },
});
