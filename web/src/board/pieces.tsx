// Our own drawings, each in a square of 100 units around the origin. Sides differ by fill and by outline, so that they
// are told apart without colour, and on paper.
import { type Letter, sideOf } from '../fen';
import type { Game } from '../games';

export function Piece({ letter, rules }: { letter: Letter; rules: Game }) {
  const side = sideOf(letter) ?? 'neutral';
  return <g class={`piece ${side}`}>{drawing(letter, rules)}</g>;
}

function drawing(letter: Letter, rules: Game) {
  switch (letter.toLowerCase()) {
    case 'q':
      return <Amazon />;
    case '*':
      return rules.stones ? <NeutralStone /> : <Burnt />;
    case 's':
      return <Stone />;
    case 'p':
      return <Pedina />;
    case 'd':
      return <Dama />;
    default:
      return <Damone />;
  }
}

// The amazon wears the crescent shield of her people as a crown, with an arrowhead in its middle: a queen who shoots.
const SKIRT = 'M-9 -1C-10 10 -14 19 -21 27H21C14 19 10 10 9 -1Z';
const PLINTH = 'M-28 41V36Q-28 27 -19 27H19Q28 27 28 36V41Z';
const CRESCENT = 'M-36 -27C-33 -9 -19 0 0 0C19 0 33 -9 36 -27C28 -17 17 -12 0 -12C-17 -12 -28 -17 -36 -27Z';
const ARROWHEAD = 'M0 -45L12 -23L4.5 -25.5V-12H-4.5V-25.5L-12 -23Z';

function Amazon() {
  return (
    <g transform="translate(0 1) scale(0.98)">
      <path class="outline" d={`${SKIRT}${PLINTH}${CRESCENT}${ARROWHEAD}`} />
      <path class="body" d={`${SKIRT}${PLINTH}${CRESCENT}${ARROWHEAD}`} />
      <path class="line" d="M-24 34H24M-11 9Q0 12 11 9" />
    </g>
  );
}

/** A square that an arrow has closed for good. */
function Burnt() {
  return (
    <>
      <rect class="burnt" x="-40" y="-40" width="80" height="80" rx="12" />
      <path class="burnt-cross" d="M-15 -15L15 15M15 -15L-15 15" />
    </>
  );
}

function Stone() {
  return (
    <>
      <circle class="outline" r="35" />
      <circle class="body" r="35" />
      <path class="shine" d="M-24 -6A25 25 0 0 1 -6 -24" />
    </>
  );
}

function NeutralStone() {
  return (
    <>
      <circle class="outline" r="35" />
      <circle class="body" r="35" />
      <path class="hatch" d="M-24 4L4 -24M-20.5 17.5L17.5 -20.5M-11 25L25 -11M4 27L27 4" />
    </>
  );
}

/** The edge of a disc seen from above and in front, and its upper side. */
function disc(y: number, thick: number) {
  return {
    side: `M-35 ${y}V${y + thick}A35 22 0 0 0 35 ${y + thick}V${y}Z`,
    top: `M-35 ${y}A35 22 0 1 1 35 ${y}A35 22 0 1 1 -35 ${y}Z`,
  };
}

function Disc({ y, thick, ring }: { y: number; thick: number; ring: boolean }) {
  const { side, top } = disc(y, thick);
  return (
    <>
      <path class="outline" d={`${side}${top}`} />
      <path class="body edge" d={side} />
      <path class="body" d={top} />
      {ring && <ellipse class="line" cy={y} rx="22" ry="12.5" />}
    </>
  );
}

/** One disc. */
function Pedina() {
  return <Disc y={-2} thick={13} ring />;
}

/** Two discs, one on the other. */
function Dama() {
  return (
    <>
      <Disc y={6} thick={14} ring={false} />
      <Disc y={-14} thick={14} ring />
    </>
  );
}

/** A disc under a crown. */
function Damone() {
  const crown = 'M-24 8L-31 -30L-14 -15L0 -42L14 -15L31 -30L24 8Q0 17 -24 8Z';
  return (
    <>
      <Disc y={10} thick={14} ring={false} />
      <path class="outline" d={crown} />
      <path class="body" d={crown} />
      <path class="line" d="M-25 -1Q0 8 25 -1" />
    </>
  );
}
