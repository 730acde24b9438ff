// The npm package: the board as a custom element, and the engine for browsers and for Node. `npm run build:package`.
import { defineConfig, type Plugin } from 'vite';
import { messagesOf } from './package/messages.mjs';

const node = process.env.PACKAGE_FOR === 'node';

/** English comes with the package, as far as it is said; other languages are given by whoever wants them. */
const fewMessages: Plugin = {
  name: 'few-messages',
  enforce: 'pre',
  load: (id) => (id.endsWith('/messages/en.json') ? JSON.stringify(messagesOf('en')) : null),
};

/** It is written by `package/build.mjs`. */
const namedFiles: Plugin = {
  name: 'named-files',
  enforce: 'pre',
  resolveId: (id) => (id === './files' ? { id: './files.js', external: 'relative' } : null),
};

export default defineConfig({
  plugins: [fewMessages, namedFiles],
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
    rollupOptions: { output: { chunkFileNames: '[name]-[hash].js', keepNames: true } },
  },
  ssr: { noExternal: true },
  worker: { format: 'es' },
});
