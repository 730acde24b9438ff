// A match to watch: results as text, and its games to open on the board.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { treeOf } from '../formats/record';
import { beginTree, current, go } from '../game/store';
import { lastOf } from '../game/tree';
import { gameOf, isVariant } from '../games';
import { phrase } from '../messages';
import type { GameRecord } from '../protocol';
import { matchGames, results, watch } from './watch';

const PAGE = 30;
const page = signal(0);

/** Games of a match are counted from 0. */
function numberOf({ game = 0 }: GameRecord): number {
  return game + 1;
}

function open(game: GameRecord): void {
  beginTree(treeOf(game));
  go(lastOf(current.peek()));
}

export function WatchPanel() {
  useEffect(watch, []);
  if (results.value === null) return null;
  // The latest game first.
  const all = [...matchGames.value].sort((a, b) => numberOf(b) - numberOf(a));
  const last = Math.max(0, Math.ceil(all.length / PAGE) - 1);
  const at = Math.min(page.value, last);
  return (
    <section class="watch" aria-label={phrase('watch.title')}>
      <h3>{phrase('watch.title')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={phrase('watch.results')}>
        <pre>{results.value.trim() || phrase('watch.none')}</pre>
      </section>
      {all.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{phrase('watch.game')}</th>
                <th scope="col">{phrase('watch.names')}</th>
                <th scope="col">{phrase('watch.result')}</th>
                <th scope="col" class="number">
                  {phrase('watch.turns')}
                </th>
              </tr>
            </thead>
            <tbody>
              {all.slice(at * PAGE, (at + 1) * PAGE).map((game) => (
                <tr key={numberOf(game)}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => open(game)}>
                      {phrase('watch.open', { number: numberOf(game) })}
                    </button>
                  </th>
                  <td>
                    {game.white} – {game.black}
                    <br />
                    <small class="quiet">
                      {isVariant(game.variant) ? gameOf(game.variant).title : game.variant}
                    </small>
                  </td>
                  <td title={game.detail}>{game.result}</td>
                  <td class="number">{game.moves.length}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {last > 0 && (
        <div class="controls">
          <button type="button" disabled={at === 0} onClick={() => (page.value = at - 1)}>
            {phrase('watch.later')}
          </button>
          <button type="button" disabled={at === last} onClick={() => (page.value = at + 1)}>
            {phrase('watch.earlier')}
          </button>
        </div>
      )}
    </section>
  );
}
