// A match that `hippolyta serve --match FOLDER` shows: its results, and the games as they end.
import { effect, signal } from '@preact/signals';
import { session } from '../host';
import { type MatchGame, readGames } from './record';

const EVERY = 3000;

/** `null`: no match is shown here, or it is not known yet. */
export const results = signal<string | null>(null);
export const matchGames = signal<readonly MatchGame[]>([]);

let from = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let watchers = 0;

async function look(): Promise<void> {
  const answer = await fetch(new URL('./match/results', document.baseURI));
  if (!answer.ok) {
    // 404: no match is shown; asking again would change nothing.
    if (answer.status === 404) watchers = 0;
    results.value = null;
    return;
  }
  results.value = await answer.text();
  // At most a MiB comes at a time.
  for (let more = true; more; ) {
    const page = await fetch(new URL(`./match/games?from=${from}`, document.baseURI));
    if (!page.ok) return;
    const bytes = await page.arrayBuffer();
    more = bytes.byteLength > 0;
    from += bytes.byteLength;
    if (more) matchGames.value = [...matchGames.peek(), ...readGames(new TextDecoder().decode(bytes))];
  }
}

async function loop(): Promise<void> {
  clearTimeout(timer);
  if (document.visibilityState === 'visible') {
    try {
      await look();
    } catch {
      // The server went; the session says so, and the next look may find it again.
    }
  }
  if (watchers > 0) timer = setTimeout(() => void loop(), EVERY);
}

/** Looks every three seconds until the answer is called. Only `hippolyta serve` has matches. */
export function watch(): () => void {
  if (session.kind !== 'socket') return () => {};
  watchers += 1;
  if (watchers === 1) void loop();
  return () => {
    watchers = Math.max(0, watchers - 1);
    if (watchers === 0) clearTimeout(timer);
  };
}

// A server that came back may show another match: begin anew.
effect(() => {
  if (session.state.value !== 'gone') return;
  from = 0;
  matchGames.value = [];
});
