// The choices in the dialog of a new game, and the game that comes of them.

import { signal } from '@preact/signals';
import type { Player, Setup, TimeControl } from '../game/store';
import { gameOf, type VariantId } from '../games';
import { phrase } from '../messages';
import { other, type Side } from '../protocol';
import { EVEN, isEven } from './levels';

export type Opponents = 'engine' | 'people' | 'show';
export type StartFrom = 'start' | 'current' | 'fen';

export interface Choice {
  variant: VariantId;
  /** Rules of one's own are written that make no game, or nobody knows yet. */
  isUnclear?: boolean;
  opponents: Opponents;
  /** The person's side against the engine. */
  side: Side | 'random';
  /** The engine's level; in a game of two engines White's. */
  level: string;
  second: string;
  /** An entry of `CONTROLS`, or `own`. */
  control: string;
  minutes: number;
  seconds: number;
  movetime: number;
  from: StartFrom;
  fen: string;
}

/** Choices that the dialog of a new game begins with in place of the last game's, once. */
export const preset = signal<Partial<Choice>>({});

export const CONTROLS: readonly [string, TimeControl | null][] = [
  ['none', null],
  ['3+2', control(3, 2)],
  ['5+3', control(5, 3)],
  ['10+5', control(10, 5)],
  ['15+10', control(15, 10)],
  ['30+20', control(30, 20)],
];

/** Milliseconds. */
export const MOVE_TIMES: readonly number[] = [500, 1000, 3000, 10_000, 30_000, 60_000];

function control(minutes: number, seconds: number): TimeControl {
  return { start: minutes * 60_000, increment: seconds * 1000 };
}

/** The choice that would begin the same game again. */
export function choiceOf({ variant, players, control: time, movetime }: Setup): Choice {
  const { white, black } = players;
  const engines = [white, black].filter((player) => player.kind === 'engine');
  const level = (player: Player | undefined) => {
    if (player?.kind !== 'engine') return 'beginner';
    return isEven(player.level) ? EVEN : player.level;
  };
  const known = CONTROLS.find(
    ([, one]) => (one?.start ?? 0) === (time?.start ?? 0) && (one?.increment ?? 0) === (time?.increment ?? 0),
  );
  return {
    variant,
    opponents: engines.length === 2 ? 'show' : engines.length === 1 ? 'engine' : 'people',
    side: white.kind === 'engine' && black.kind === 'human' ? 'black' : 'white',
    level: level(engines[0]),
    second: level(engines[1] ?? engines[0]),
    control: known?.[0] ?? 'own',
    minutes: (time?.start ?? 600_000) / 60_000,
    seconds: (time?.increment ?? 5000) / 1000,
    movetime,
    from: 'start',
    fen: '',
  };
}

/** Whether somebody in the game plays at full strength, who needs to know for how long. */
export function hasFullStrength({ opponents, level, second }: Choice): boolean {
  return (opponents !== 'people' && level === 'full') || (opponents === 'show' && second === 'full');
}

/** `here` is the position on the board, `null` if it is not known yet. */
export function setupOf(choice: Choice, here: string | null): Setup {
  const engine = (level: string): Player => ({ kind: 'engine', level });
  const human: Player = { kind: 'human' };
  const players: Record<Side, Player> = { white: human, black: human };
  if (choice.opponents === 'engine') {
    const random = Math.random() < 0.5 ? 'white' : 'black';
    const side = choice.side === 'random' ? random : choice.side;
    players[other(side)] = engine(choice.level);
  } else if (choice.opponents === 'show') {
    players.white = engine(choice.level);
    players.black = engine(choice.second);
  }
  return {
    variant: choice.variant,
    start: startOf(choice, here),
    players,
    control: controlOf(choice),
    movetime: choice.movetime,
  };
}

export function controlOf({ control: id, minutes, seconds }: Choice): TimeControl | null {
  return id === 'own' ? control(minutes, seconds) : (CONTROLS.find(([known]) => known === id)?.[1] ?? null);
}

/** The FEN where the game begins, `null` for the rule set's own. Throws if there is none. */
function startOf({ from, fen, variant }: Choice, here: string | null): string | null {
  if (from === 'current' && here === null) throw new Error(phrase('new.notKnown'));
  const text = from === 'current' ? (here ?? '') : from === 'fen' ? fen.trim().replace(/\s+/g, ' ') : '';
  if (from === 'fen' && text === '') throw new Error(phrase('new.enterFen'));
  if (text === '' || text === gameOf(variant).start) return null;
  return text;
}
