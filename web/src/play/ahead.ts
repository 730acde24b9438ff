// A turn entered ahead, while the engine thinks: it is played if it is legal then. It is chosen among the turns that would
// be legal if the engine passed, which is the engine's answer as well.

import { computed, effect, signal, untracked } from '@preact/signals';
import { passed } from '../analysis/threats';
import {
  current,
  isGoingOn,
  legal,
  match,
  paused,
  playAtTip,
  revision,
  tab,
  turnsOf,
  turnTaker,
} from '../game/store';
import type { GameNode } from '../game/tree';
import { session } from '../host';
import { say } from '../live';
import { phrase } from '../messages';
import { turnWords } from '../names';
import { type Turn, TurnIndex } from '../turns';
import { people } from './actions';
import { filling } from './decided';
import { isEngine } from './opponent';

interface Ahead {
  turn: Turn;
  /** Where the engine was to move. */
  node: GameNode;
}

export const ahead = signal<Ahead | null>(null);
/** The position where a turn was entered ahead for nothing. */
export const refused = signal<GameNode | null>(null);

/** Where the engine is to move against a person who looks on. */
const waitingAt = computed<GameNode | null>(() => {
  revision.value;
  const now = match.value;
  const { tip } = now;
  if (tab.value !== 'play' || turnTaker.value || paused.value || filling.value) return null;
  if (!isGoingOn(now) || current.value !== tip) return null;
  return people().length === 1 && isEngine(tip.toMove) ? tip : null;
});

const known = signal<{ node: GameNode; turns: TurnIndex } | null>(null);

/** The turns that may be entered ahead; `null` if none may, or they are not known yet. */
export const aheadTurns = computed<TurnIndex | null>(() =>
  known.value && known.value.node === waitingAt.value ? known.value.turns : null,
);

/** The turns of the position on the board are on their way. */
export const awaited = computed(() => (waitingAt.value ? aheadTurns.value === null : legal.value === null));

effect(() => {
  const node = waitingAt.value;
  if (!node || known.peek()?.node === node) return;
  const position = node.position;
  const fen = position && passed(position);
  if (!fen) return;
  const { variant } = match.peek().setup;
  session
    .ask({ action: 'legal_moves', variant, fen, includeTurns: true })
    .then((answer) => {
      if (waitingAt.peek() === node) known.value = { node, turns: new TurnIndex(answer) };
    })
    // A position that nobody can be in: nothing is entered ahead there.
    .catch(() => {});
});

export function enterAhead(turn: Turn): void {
  const node = waitingAt.peek();
  if (!node) return;
  ahead.value = { turn, node };
  say(phrase('foot.ahead', { turn: turnWords(turn) }));
}

/** Says whether there was one. */
export function clearAhead(): boolean {
  if (!ahead.peek()) return false;
  ahead.value = null;
  return true;
}

// The engine has played: now it is legal or not. Whatever else happens to the game ends it.
effect(() => {
  revision.value;
  const now = match.value;
  const entered = ahead.value;
  untracked(() => {
    if (!entered || (now.tip === entered.node && isGoingOn(now))) return;
    ahead.value = null;
    const { tip } = now;
    if (tip.parent !== entered.node || !isGoingOn(now)) return;
    turnsOf(tip)
      .then((turns) => {
        if (match.peek() !== now || now.tip !== tip || !isGoingOn(now)) return;
        const turn = turns.of(entered.turn.text);
        if (turn) {
          playAtTip(turn);
        } else {
          refused.value = tip;
          say(phrase('play.notLegal', { turn: turnWords(entered.turn) }));
        }
      })
      // The engine went: the turn may be entered again.
      .catch(() => {});
  });
});
