// A match that `hippolyta serve --match FOLDER` shows: its results, and the games as they end.
import { effect, signal } from '@preact/signals';
import { session } from '../host';
import type { GameRecord, GamesRead } from '../protocol';

const EVERY = 3000;

/** `null`: no match is shown here, or it is not known yet. */
export const results = signal<string | null>(null);
export const matchGames = signal<readonly GameRecord[]>([]);

let from = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let watchers = 0;

async function look(): Promise<void> {
  const answer = await fetch(new URL('./match/results', document.baseURI));
  // No content: no match is shown, and asking again would change nothing.
  if (answer.status === 204) watchers = 0;
  if (!answer.ok || answer.status === 204) {
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
    if (more) await hear(new TextDecoder().decode(bytes));
  }
}

/** Takes up the games of whole lines; the engine leaves out what is none. */
async function hear(text: string): Promise<void> {
  for (let at: number | undefined = 0; at !== undefined; ) {
    const read: GamesRead = await session.ask({ action: 'read_games', text, name: 'games.jsonl', from: at });
    matchGames.value = [...matchGames.peek(), ...read.games.map(({ record }) => record)];
    at = read.next;
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
