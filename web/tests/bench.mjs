// `node tests/bench.mjs SITE`: the node count of `bench` by the engine of a static page, without a browser. Takes half a
// minute.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [site] = process.argv.slice(2);
if (!site) {
  console.error('usage: node tests/bench.mjs SITE');
  process.exit(2);
}
const folder = join(resolve(site), 'engine');
const engine = await import(pathToFileURL(join(folder, 'hippolyta_web.js')));
globalThis.readPart = (name) => readFileSync(join(folder, name));
engine.initSync({ module: readFileSync(join(folder, 'hippolyta_web_bg.wasm')) });
console.log(engine.bench());
