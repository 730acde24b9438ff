// Our own drawings, each in a square of 100 units around the origin.
import type { Letter } from '../fen';
import type { Family } from '../games';

export function Piece({ letter, family }: { letter: Letter; family: Family }) {
  return (
    <text class={`piece ${family}`} text-anchor="middle" dominant-baseline="central" font-size="60">
      {letter}
    </text>
  );
}
