// The engine's turns. It thinks at the tip of the game whenever it is its turn there; what interrupts (a pause, a
// turn taken back, another game) ends the search, and what goes on begins a new one.
import { effect, signal } from '@preact/signals';
import { boardArrows } from '../board/layers';
import { current, game, go, match, paused, positionOf, problem, revision, tab, touch } from '../game/store';
import { type GameNode, playOn } from '../game/tree';
import { session } from '../host';
import { NothingFound } from '../host/session';
import type { AnalyseQuery, Side } from '../protocol';
import { fires, squaresOfTurn } from '../turns';
import { clocks, punch } from './clock';
import { levelOf } from './levels';
import { enginePlays } from './state';

/** Milliseconds that a turn takes at least, so that eyes can follow. */
const PACE = 350;

export const thinking = signal(false);

export function limits(level: string, movetime: number): Partial<AnalyseQuery> {
  const { elo, nodes } = levelOf(level);
  if (elo) return { elo: elo[game.peek().family], nodes };
  const { control } = match.peek().setup;
  const left = clocks.peek();
  if (!control || !left) return { movetime };
  const clock = { ...left, whiteIncrement: control.increment, blackIncrement: control.increment };
  return {
    clock: {
      ...clock,
      white: Math.max(1, Math.round(left.white)),
      black: Math.max(1, Math.round(left.black)),
    },
  };
}

function think(node: GameNode, side: Side): () => void {
  const { setup } = match.peek();
  const player = setup.players[side];
  if (player.kind !== 'engine') return () => {};
  let wanted = true;
  const begun = performance.now();
  thinking.value = true;
  const search = session.analyse({
    ...positionOf(node),
    ...limits(player.level, setup.movetime),
    seed: seed(),
  });
  search.done
    .then(async (answer) => {
      const rest = PACE - (performance.now() - begun);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      const turn = answer.moveInfos[0]?.move;
      if (!wanted || !turn) return;
      playAtTip(turn);
    })
    .catch((error: unknown) => {
      if (!wanted || error instanceof NothingFound) return;
      problem.value = `The engine could not play: ${error instanceof Error ? error.message : String(error)}`;
      paused.value = true;
    })
    .finally(() => {
      if (wanted) thinking.value = false;
    });
  return () => {
    wanted = false;
    thinking.value = false;
    search.stop();
  };
}

/** Plays where the game stands; whoever looks at an earlier position goes on looking. */
function playAtTip(turn: string): void {
  const now = match.peek();
  const from = now.tip;
  const mover = from.toMove;
  const node = playOn(now.tree, from, turn);
  if (mover) punch(mover, node);
  now.tip = node;
  if (current.peek() === from) go(node);
  touch();
}

function seed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

export function startOpponent(): void {
  let at: GameNode | null = null;
  let end: (() => void) | null = null;
  effect(() => {
    revision.value;
    const { tip } = match.value;
    const wanted = enginePlays.value && !paused.value && tab.value === 'play' ? tip : null;
    if (wanted === at) return;
    end?.();
    end = null;
    at = wanted;
    if (wanted?.toMove) end = think(wanted, wanted.toMove);
  });
  // A hint belongs to one position.
  effect(() => {
    current.value;
    boardArrows.value = [];
  });
}

/** Shows the turn that the engine would play here, after a second of thought. */
export async function hint(): Promise<void> {
  const node = current.peek();
  try {
    const answer = await session.analyse({ ...positionOf(node), movetime: 1000 }).done;
    const best = answer.moveInfos[0];
    if (!best || current.peek() !== node) return;
    boardArrows.value = [
      { squares: squaresOfTurn(best.move), fires: fires(best.move), weight: 0.8, label: '', kind: 'hint' },
    ];
  } catch (error) {
    if (!(error instanceof NothingFound))
      problem.value = error instanceof Error ? error.message : String(error);
  }
}
