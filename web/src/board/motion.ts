// The motions between two positions: pieces glide along their turn, then the shot flies, then stones turn over and
// captured pieces fade. `motions` finds them, `schedule` says when they begin; `stage.ts` shows them.
import type { Letter, Square } from '../squares';
import { areStones, type Tracked } from './track';

export type Motion =
  | { kind: 'glide'; id: number; way: Square[] }
  | { kind: 'fly'; id: number; from: Square }
  | { kind: 'appear'; id: number }
  | { kind: 'flip'; id: number; was: Letter }
  | { kind: 'fade'; id: number; piece: Tracked };

/** `last` are the squares of the turn that led to the new position. */
export function motions(
  before: readonly Tracked[],
  after: readonly Tracked[],
  last: readonly Square[],
): Motion[] {
  const old = new Map(before.map((piece) => [piece.id, piece]));
  const found: Motion[] = [];
  for (const piece of after) {
    const { id, square, letter } = piece;
    const was = old.get(id);
    old.delete(id);
    if (!was) {
      const from = last.length === 3 && last[2] === square ? last[1] : undefined;
      found.push(from === undefined ? { kind: 'appear', id } : { kind: 'fly', id, from });
    } else if (was.square !== square) {
      found.push({ kind: 'glide', id, way: wayOf(was.square, square, last) });
    } else if (was.letter !== letter && areStones(was.letter, letter)) {
      found.push({ kind: 'flip', id, was: was.letter });
    }
  }
  for (const piece of old.values()) found.push({ kind: 'fade', id: piece.id, piece });
  return found;
}

/** Is this a turn or two, and not a leap to another place in the game, which nobody could follow? */
export function isFollowable(all: readonly Motion[]): boolean {
  const count = (...kinds: Motion['kind'][]) => all.filter(({ kind }) => kinds.includes(kind)).length;
  return count('glide') <= 2 && count('fly', 'appear') <= 3;
}

/** A turn of several jumps is seen jump by jump; anything else goes straight. */
function wayOf(from: Square, to: Square, last: readonly Square[]): Square[] {
  const begin = last.indexOf(from);
  const end = last.lastIndexOf(to);
  return begin >= 0 && end > begin ? last.slice(begin, end + 1) : [from, to];
}

/** Milliseconds. */
const GLIDE = 240;
const JUMP = 170;
const FLY = 220;
const TURN = 260;
const FADE = 200;
/** Nobody waits longer for what went before. */
const PATIENCE = 400;

export interface Moment {
  motion: Motion;
  begin: number;
  duration: number;
}

/** One after the other: pieces, then the shot, then what the turn does to others; after what moves for `rest` more. */
export function schedule(all: readonly Motion[], rest = 0): Moment[] {
  let moved = Math.max(0, Math.min(rest, PATIENCE));
  let shot = 0;
  for (const motion of all) {
    if (motion.kind === 'glide') moved = glideTime(motion.way);
    if (motion.kind === 'fly') shot = FLY;
  }
  const time = (motion: Motion): [begin: number, duration: number] => {
    switch (motion.kind) {
      case 'glide':
        return [0, glideTime(motion.way)];
      case 'fly':
        return [moved, FLY];
      case 'appear':
        return [moved, FADE];
      case 'flip':
        return [moved + shot, TURN];
      default:
        return [Math.max(0, moved - FADE / 2), FADE];
    }
  };
  return all.map((motion) => {
    const [begin, duration] = time(motion);
    return { motion, begin, duration };
  });
}

function glideTime(way: readonly Square[]): number {
  return way.length > 2 ? JUMP * (way.length - 1) : GLIDE;
}
