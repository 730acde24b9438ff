// Games in and out through the dialog, and what `hippolyta convert` makes of the same files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { keptBy, until } from './game.mjs';

/** Import through the dialog, as far as the button. */
export async function paste(page, text) {
  // Outside of text fields a pasted game is meant for the board.
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.setData('text/plain', content);
    // Firefox makes the clipboard's data itself, from the text.
    const init = {
      clipboardData: data,
      data: content,
      dataType: 'text/plain',
      bubbles: true,
      cancelable: true,
    };
    document.body.dispatchEvent(new ClipboardEvent('paste', init));
  }, text);
  await page.getByRole('dialog').getByRole('tab', { name: 'Import' }).waitFor();
}

/** A dialog hides first and goes a frame later. */
export function closed(page) {
  return page.locator('dialog').waitFor({ state: 'detached' });
}

export async function putOnBoard(page) {
  await page.getByRole('button', { name: /^Put / }).click();
  await closed(page);
}

export async function exported(page, format) {
  await page.evaluate(() => location.hash);
  await openFormats(page);
  await page.getByRole('dialog').getByRole('radio', { name: format, exact: true }).check({ force: true });
  const field = page.getByRole('textbox', { name: `The game as ${format}` });
  // The engine writes it.
  const text = await until(`the game as ${format}`, () => field.inputValue());
  await page.keyboard.press('Escape');
  await closed(page);
  return text;
}

/** By way of an empty paste-in: the dialog opens wherever its button is. */
export async function openFormats(page) {
  await paste(page, '*');
  await page.getByRole('tab', { name: 'Export' }).click();
}

const VECTORS = fileURLToPath(new URL('../../tests/vectors/records/', import.meta.url));
const latin = (text) => Buffer.from(text, 'latin1');

/** Files as strangers have them: damaged, glued together, in other encodings. */
export const ODD_FILES = {
  ...Object.fromEntries(
    readdirSync(VECTORS)
      .filter((name) => /^(?:gb|glued)/.test(name))
      .map((name) => [name, readFileSync(VECTORS + name)]),
  ),
  'illegal.pgn': latin('1. d1d7,d7g7 a7b7,b7c7 2. d1d2,d2d1 (2. g1g2,g2g3) a4a5,a5a4 *\n'),
  'open.pgn': latin('[Variant "amazons6"]\n\n1. b1b4,b4c4 (1. e1e2,e2e3 {or this\n'),
  'latin.sgf': latin('(;GM[18]SZ[6]PB[Ren\xe9]RE[who knows];B[bfbccc]C[d\xe9j\xe0 vu]XX[1])'),
  'places.txt': latin('# mine\nFEN: 3q/2*1/Q3_w_-_-_0_1\nposition startpos moves d1d7,d7g7\n9/9 w\n'),
  'lines.jsonl': latin(
    '{"moves":["d1d7,d7g7"],"white":"a"}\nrubbish\n{"moves":5}\n{"variant":"iago","moves":[]}\n',
  ),
  'packed.pgn.gz': gzipSync('1. d1d7,d7g7 a7b7,b7c7 *\n'),
};

/** The games as lines of JSON, and the warnings. */
function convert(name, bytes, variant) {
  const folder = mkdtempSync(join(tmpdir(), 'hippolyta-'));
  try {
    const [input, out] = [join(folder, name), join(folder, 'out.jsonl')];
    writeFileSync(input, bytes);
    const { stderr } = spawnSync(
      process.env.HIPPOLYTA,
      ['convert', input, '--out', out, '--variant', variant],
      {
        encoding: 'utf8',
      },
    );
    const warnings = stderr.split('\n').flatMap((line) => {
      const [, place] = line.split(`hippolyta: ${input}:`);
      const [, at, column, message] = /^(\d+):(\d+): (?:game \d+: )?(.*)$/.exec(place ?? '') ?? [];
      // The page has no options.
      const told = message?.replace('--variant names', "'variant' names");
      return told ? [`Line ${at}, column ${column}: ${told}`] : [];
    });
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    return { games: lines.map((line) => JSON.parse(line)), warnings };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Puts each game of a file on the board, and compares it and what is said of the file. */
export async function isReadAsByConvert(page, name, bytes) {
  // Games that name no rule set are of the one on the board, if they fit.
  const variant = (await keptBy(page)).setup.variant;
  const { games, warnings } = convert(name, bytes, variant);
  const said = new Set();
  for (const [index, game] of games.entries()) {
    await paste(page, '*');
    await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/plain', buffer: bytes });
    if (games.length > 1) {
      const list = page.getByRole('listbox', { name: new RegExp(`^${games.length} games`) });
      await list.selectOption(String(index));
    }
    await page.locator('.found').waitFor();
    for (const text of await page.locator('.problem').allTextContents()) said.add(text);
    await putOnBoard(page);
    const shown = JSON.parse(await exported(page, 'JSON'));
    // Numbers of games are those of the file.
    const rest = ({ game: _, opening, ...fields }) => fields;
    assert.deepEqual(rest(shown), rest(game), `${name}, game ${index + 1}`);
  }
  const sentence = (text) => text.replace(/\.$/, '');
  assert.deepEqual([...said].map(sentence).sort(), warnings.map(sentence).sort(), name);
}
