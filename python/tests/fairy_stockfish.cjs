// Fairy-Stockfish of the npm package fairy-stockfish-nnue.wasm, whose folder is the argument, as a UCI engine.
const { join } = require("node:path");
const { createInterface } = require("node:readline");

delete globalThis.fetch; // the package takes a Node.js that has it for a browser
require(join(process.argv[2], "stockfish.js"))().then((engine) => {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => (line === "quit" ? process.exit() : engine.postMessage(line)));
  lines.on("close", () => process.exit());
});
