// The games that were played on this page, against the engine or by two people: each is kept in the browser when it ends
// or when another takes its place. Every game has an entry of its own, so two tabs do not write over each other's games,
// and its key begins with the time, so the keys are in the order of the games.
import { computed, effect, signal, untracked } from '@preact/signals';
import { isGoingOn, type Match, match, newId, readMatch, revision, saveMatch, touch } from '../game/store';
import { turnsTo } from '../game/tree';
import { forget, keysFrom, load, onElsewhere, storeIfRoom } from '../storage';

const KEY = 'games.';
/** Games kept at most. The storage that a browser gives a page holds a few times as many. */
const MOST = 300;

/** A game that was played here. */
export type PlayedGame = Match & { id: string };

/** Rises with every game that is kept or forgotten, in this tab or in another. */
const changes = signal(0);

function changed(): void {
  changes.value += 1;
}

onElsewhere(KEY, changed);

/** The turns of each game as this page has written them last. */
const written = new Map<string, string>();

function turnsOf({ tip }: Match): string {
  return turnsTo(tip)
    .map((turn) => `${turn} `)
    .join('');
}

function isPlayed(now: Match): now is PlayedGame {
  const { white, black } = now.setup.players;
  return now.id !== undefined && (white.kind === 'human' || black.kind === 'human');
}

/** Keeps a game as it stands, if it was played here. Where there is no room, the oldest are forgotten. */
export function keepGame(now: Match): void {
  if (!isPlayed(now)) return;
  const found = load(KEY + now.id, readMatch);
  const turns = turnsOf(now);
  // The same game went on in another way, in another tab or after its end: both are kept.
  if (found && !turns.startsWith(turnsOf(found)) && turnsOf(found) !== written.get(now.id)) {
    now.id = newId();
    touch();
  }
  const saved = saveMatch(now, true);
  written.set(now.id, turns);
  if (found && JSON.stringify(saveMatch(found, true)) === JSON.stringify(saved)) return;
  while (!storeIfRoom(KEY + now.id, saved)) {
    const oldest = keysFrom(KEY).find((key) => key !== KEY + now.id);
    if (!oldest) return;
    forget(oldest);
  }
  for (const key of keysFrom(KEY).slice(0, -MOST)) forget(key);
  changed();
}

effect(() => {
  revision.value;
  const now = match.value;
  if (!isGoingOn(now)) untracked(() => keepGame(now));
});

export function hasGames(): boolean {
  changes.value;
  return keysFrom(KEY).length > 0;
}

/** The oldest first. */
export const keptGames = computed<readonly PlayedGame[]>(() => {
  changes.value;
  return keysFrom(KEY)
    .flatMap((key) => load(key, readMatch) ?? [])
    .filter(isPlayed);
});

export function forgetGames(games: readonly PlayedGame[]): void {
  for (const { id } of games) {
    forget(KEY + id);
    // A game that is still on the board would be kept again.
    if (match.peek().id === id) {
      match.peek().id = undefined;
      touch();
    }
  }
  changed();
}
