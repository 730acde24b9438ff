// Our own drawings, each in a square of 100 units around the origin. Sides differ by fill and by outline, so that
// they are told apart without colour, and on paper.
import { type Letter, sideOf } from '../fen';
import type { Family } from '../games';

export function Piece({ letter, family }: { letter: Letter; family: Family }) {
  const side = sideOf(letter) ?? 'neutral';
  return <g class={`piece ${side}`}>{drawing(letter, family)}</g>;
}

function drawing(letter: Letter, family: Family) {
  switch (letter.toLowerCase()) {
    case 'q':
      return <Amazon />;
    case '*':
      return family === 'amazons' ? <Burnt /> : <NeutralStone />;
    case 's':
      return <circle class="body" r="35" />;
    case 'p':
      return <Disc y={0} />;
    case 'd':
      return <Stack />;
    default:
      return <Damone />;
  }
}

/** A queen with a bow: crown, cloak, and the bow drawn beside her. */
function Amazon() {
  return (
    <>
      <path class="bow" d="M20 -33C42 -16 42 14 20 31" />
      <path class="string" d="M20 -33L20 31" />
      <path
        class="body"
        d="M-32 37C-31 27 -26 22 -21 18C-18 7 -18 -2 -17 -10L-27 -32L-14 -22L-6 -40L3 -22L16 -32L8 -10C9 -2 10 7 13 18C18 22 22 27 23 37Z"
      />
      <path class="line" d="M-17 -10C-9 -6 0 -6 8 -10M-21 18C-11 23 3 23 13 18" />
    </>
  );
}

/** A square that an arrow has closed for good. */
function Burnt() {
  return (
    <>
      <rect class="burnt" x="-37" y="-37" width="74" height="74" rx="13" />
      <path class="burnt-cross" d="M-17 -17L17 17M17 -17L-17 17" />
    </>
  );
}

function NeutralStone() {
  return (
    <>
      <circle class="body" r="35" />
      <path class="hatch" d="M-25 3L3 -25M-21 19L19 -21M-3 25L25 -3" />
      <circle class="line" r="27" />
    </>
  );
}

function Disc({ y }: { y: number }) {
  return (
    <>
      <circle class="body" cy={y} r="31" />
      <circle class="line" cy={y} r="21" />
    </>
  );
}

/** Two discs, one on the other. */
function Stack() {
  return (
    <>
      <path class="body" d="M-33 -4V12A33 25 0 0 0 33 12V-4Z" />
      <path class="line" d="M-33 5A33 25 0 0 0 33 5" />
      <ellipse class="body" cy="-7" rx="33" ry="25" />
      <ellipse class="line" cy="-7" rx="22" ry="15" />
    </>
  );
}

function Damone() {
  return (
    <>
      <path class="body" d="M-35 2V14A35 24 0 0 0 35 14V2Z" />
      <path class="line" d="M-35 8A35 24 0 0 0 35 8" />
      <ellipse class="body" cy="0" rx="35" ry="24" />
      <path class="body crown" d="M-22 7L-27 -25L-12 -13L0 -36L12 -13L27 -25L22 7Q0 14 -22 7Z" />
      <path class="line" d="M-22 -1Q0 6 22 -1" />
    </>
  );
}
