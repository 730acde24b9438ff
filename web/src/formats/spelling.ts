// Turns in the engine's own spelling, from all others that are in use.
import { squaresIn } from '../fen';
import type { Family } from '../games';

/** A turn in any spelling: `d1d7,d7g7`, `d1-d7/g7`, `d1-d7(g7)`, `d1d7g7`, `c2xe4xg6`. */
export const TURN =
  /^[a-k](?:1[01]|[1-9])(?:[-–x×:]?[a-k](?:1[01]|[1-9]))+(?:[,/](?:[a-k](?:1[01]|[1-9])){1,2}|\([a-k](?:1[01]|[1-9])\))?/i;

/** `d1d7,d7g7` or `c2e4g6`; `null` if the text is no turn. Whether it is legal, the engine says. */
export function canonical(text: string, family: Family): string | null {
  const words = text.trim().toLowerCase();
  const whole = TURN.exec(words);
  if (!whole || whole[0].length !== words.length) return null;
  const squares = squaresIn(words);
  if (family === 'damone') return squares.join('');
  const [from, to, ...rest] = squares;
  if (rest.length === 0) return `${from}${to}`;
  // `d1d7,d7g7` names the amazon's new square twice.
  if (rest.length === 2 && rest[0] === to) rest.shift();
  return rest.length === 1 ? `${from}${to},${to}${rest[0]}` : null;
}
