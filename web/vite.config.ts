import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses: the page works in any folder of any host.
  base: './',
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: 'es' },
  // While the page is built by hand, `hippolyta serve` (or a bridge) answers at port 8080.
  server: { proxy: { '/ws': { target: 'ws://127.0.0.1:8080', ws: true } } },
});
