// Whether the engine gives the game up. How patient it is at each level is the engine's own rule.

import { type Match, match } from '../game/store';
import type { GameNode } from '../game/tree';
import { other, type RootInfo } from '../protocol';
import { strengthOf } from './levels';

/** Bad turns of a side in a row, up to the one at a node. */
interface Streak {
  lost: number;
  hopeless: number;
}

const streaks = new WeakMap<GameNode, Streak>();
/** Games in which the engine was told to play on. */
const playedOn = new WeakSet<Match>();

/** From now on the engine does not resign in this game. */
export function playOn(game: Match): void {
  playedOn.add(game);
}

/** Does the engine, which is to move at a node and has searched it, resign? Only where a person is its opponent. */
export function resigns(node: GameNode, root: RootInfo): boolean {
  const now = match.peek();
  const side = node.toMove!;
  const [player, opponent] = [now.setup.players[side], now.setup.players[other(side)]];
  if (player.kind !== 'engine' || opponent.kind !== 'human') return false;
  const strength = strengthOf(player.level, now.setup.variant);
  const before = node.parent?.parent ? streaks.get(node.parent.parent) : undefined;
  const isLost = root.result?.outcome === 'loss' || node.decided?.outcome === other(side);
  const isHopeless = isLost || root.winrate <= strength.resigns.winrate;
  const streak = {
    lost: isLost ? (before?.lost ?? 0) + 1 : 0,
    hopeless: isHopeless ? (before?.hopeless ?? 0) + 1 : 0,
  };
  streaks.set(node, streak);
  const { lost, hopeless } = strength.resigns;
  return !playedOn.has(now) && (streak.lost >= lost || streak.hopeless >= hopeless);
}
