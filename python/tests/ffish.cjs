// What ffish of npm, whose folder is the argument, reads of a game on standard input: the turns of a PGN, and of words in
// SAN and in LAN.
delete globalThis.fetch; // the package takes a Node.js that has it for a browser
const ffish = require(process.argv[2]);

ffish.onRuntimeInitialized = () => {
  const { pgn, san, lan } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const played = (words, notation) => {
    const board = new ffish.Board("amazons");
    for (const word of words) if (!board.pushSan(word, notation)) throw new Error(word);
    return board.moveStack();
  };
  const turns = [ffish.readGamePGN(pgn).mainlineMoves(), played(san, ffish.Notation.SAN), played(lan, ffish.Notation.LAN)];
  console.log(JSON.stringify(turns));
};
