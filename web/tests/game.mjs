// A game on the page, for the tests: beginning one, choosing squares, and what the page has kept of it.
import { finger } from './browser.mjs';

export const HUMAN = { kind: 'human' };
export const engine = (level) => ({ kind: 'engine', level });

/** Entries of the page's storage, for a game that begins at `fen`. */
export function keptGame(variant, fen, players, more = {}) {
  const { control = null, movetime = 1000, ...settings } = more;
  return {
    game: {
      tree: { variant, start: fen, root: { t: '', f: fen } },
      setup: { variant, start: fen, players, control, movetime },
      ending: null,
      tip: [],
    },
    settings,
  };
}

/** The game as the page has kept it: its turns up to where it stands, and what else is written down. */
export function keptBy(page) {
  return page.evaluate(() => {
    const text = sessionStorage.getItem('hippolyta.v1.game');
    if (text === null) return null;
    const { tree, setup, ending, tip } = JSON.parse(text);
    const turns = [];
    let node = tree.root;
    for (const at of tip) {
      node = node.c[at];
      turns.push(node.t);
    }
    return { turns, setup, ending, start: tree.root.f, outcome: node.o ?? null, clock: node.k ?? null };
  });
}

export async function until(what, holds, timeout = 30_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await holds();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${timeout / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** The squares of a turn in the order in which they are chosen. */
export function squaresOf(turn) {
  const [before, after] = turn.split(',');
  const names = (text) => text?.match(/[a-k]\d+/g) ?? [];
  return [...names(before), ...names(after).slice(1)];
}

/** The middle of a square on the screen. */
export async function place(page, square) {
  const cell = page.locator(`.board-column [role="grid"] [aria-label^="${square},"]`).first();
  await cell.scrollIntoViewIfNeeded();
  const box = await cell.boundingBox();
  if (!box) throw new Error(`square ${square} is not on the screen`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** A turn of a lesson or a problem by mouse: each square once it may be chosen, which the engine says. */
export async function chooseIn(page, chosen) {
  for (const [at, square] of chosen.entries()) {
    const kind = at === 0 ? '.own' : ':is(.move, .fire)';
    await page.locator(`.lesson .cell${kind}[data-square="${square}"]`).click();
  }
}

/** The page knows which turns are legal. */
export const ready = (page) => page.locator('.board-column .cell.own').first().waitFor();

/** Presses what is in the menu of the game. */
export async function inMenu(page, name, menu = 'More') {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.locator('.menu-items').getByRole('button', { name, exact: true }).click();
}

export const ways = {
  async mouse(page, squares) {
    await ready(page);
    for (const square of squares) await page.mouse.click(...(await place(page, square)));
  },

  async touch(page, squares) {
    await ready(page);
    for (const square of squares) await finger(page, await place(page, square));
  },

  /** Arrow keys from square to square, Enter chooses. */
  async keys(page, squares) {
    await ready(page);
    await page.keyboard.press('b');
    for (const square of squares) {
      for (let steps = 0; ; steps += 1) {
        const here = await page.evaluate(
          () => /^[a-k]\d+/.exec(document.activeElement?.getAttribute('aria-label') ?? '')?.[0],
        );
        if (!here) throw new Error('the focus is not on a square');
        if (here === square) break;
        if (steps > 30) throw new Error(`the arrow keys do not lead from ${here} to ${square}`);
        const turned = await page.evaluate(() => {
          const labels = [...document.querySelectorAll('.board-column [role="grid"] [aria-label]')];
          const box = (name) =>
            labels
              .find((one) => one.getAttribute('aria-label').startsWith(`${name},`))
              .getBoundingClientRect();
          return box('a1').x > box('b1').x;
        });
        const right = (square.charCodeAt(0) - here.charCodeAt(0)) * (turned ? -1 : 1);
        const up = (Number(square.slice(1)) - Number(here.slice(1))) * (turned ? -1 : 1);
        const key = right > 0 ? 'ArrowRight' : right < 0 ? 'ArrowLeft' : up > 0 ? 'ArrowUp' : 'ArrowDown';
        await page.keyboard.press(key);
      }
      await page.keyboard.press('Enter');
    }
  },
};

/** Plays to the end with the native engine's turns. Gives back what the page has kept of the game. */
export async function playOut(page, native, way, { nodes = 300, most = 120 } = {}) {
  for (;;) {
    const before = await until('the engine plays', async () => {
      const now = await keptBy(page);
      if (!now) return null;
      if (now.outcome !== null || now.ending) return now;
      const { currentPlayer, outcome } = await native.legal(now.setup.variant, now.start, now.turns);
      return outcome === null && now.setup.players[currentPlayer].kind === 'human' ? now : null;
    });
    if (before.outcome !== null || before.ending) return before;
    if (before.turns.length > most) throw new Error(`no end after ${before.turns.length} turns`);
    const { variant } = before.setup;
    const query = { variant, fen: before.start, moves: before.turns, nodes };
    const { moveInfos } = await native.ask(query);
    await page.locator('.player.to-move').waitFor();
    await way(page, squaresOf(moveInfos[0].move));
    await until(`${moveInfos[0].move} is played`, async () => {
      const { turns } = await keptBy(page);
      return turns[before.turns.length] === moveInfos[0].move;
    });
  }
}
