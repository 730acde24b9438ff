// The layer under the pieces: frame, squares, coordinates, the last turn, the turn that is being entered.

import type { Game } from '../games';
import type { Side } from '../protocol';
import type { Square } from '../squares';
import { isDark, squaresOf } from '../squares';
import { EDGE, type Point, type Size, UNIT } from './geometry';

const HALF = UNIT / 2;
/** How far the corners of a square that is protected are from its edge, and how long they are. */
const INSET = UNIT / 10;
const LEG = UNIT / 5;

interface GroundProps {
  size: Size;
  rules: Game;
  at: (square: Square) => Point;
}

export function Ground({ size, rules, at }: GroundProps) {
  const [width, height] = [size.width * UNIT, size.height * UNIT];
  return (
    <g class="ground">
      <rect class="frame" x={-EDGE} y={-EDGE} width={width + 2 * EDGE} height={height + 2 * EDGE} rx={EDGE} />
      {squaresOf(size.width, size.height).map((square) => {
        const { x, y } = at(square);
        const shade = isDark(square, rules.darkSquares) ? 'dark' : 'light';
        return <rect key={square} class={shade} x={x - HALF} y={y - HALF} width={UNIT} height={UNIT} />;
      })}
      {protectedSquares(rules).map(([square, from]) => {
        const { x, y } = at(square);
        return <path key={square} class={`kept ${from}`} d={corners(x, y, from)} />;
      })}
    </g>
  );
}

/** The corners of a square, which a piece leaves free: the lower ones against White's fire, the upper ones against Black's. */
function corners(x: number, y: number, from: Side | 'both'): string {
  const rows = from === 'both' ? [1, -1] : [from === 'white' ? 1 : -1];
  const corner = (across: number, down: number) => {
    const [left, top] = [x + across * (HALF - INSET), y + down * (HALF - INSET)];
    return `M${left} ${top - down * LEG}V${top}H${left - across * LEG}`;
  };
  return rows.flatMap((down) => [corner(-1, down), corner(1, down)]).join('');
}

/** The squares that no fire may land on, each with the side whose fire that is. */
export function protectedSquares(rules: Game): [Square, Side | 'both'][] {
  const [white = [], black = []] = [rules.protectedFromWhite, rules.protectedFromBlack];
  const onlyBlack = black.filter((square) => !white.includes(square));
  return [
    ...white.map((square): [Square, Side | 'both'] => [square, black.includes(square) ? 'both' : 'white']),
    ...onlyBlack.map((square): [Square, Side] => [square, 'black']),
  ];
}

interface CoordinatesProps {
  files: readonly number[];
  ranks: readonly number[];
  /** 1 where ten squares fill the drawing. */
  scale: number;
}

export function Coordinates({ files, ranks, scale }: CoordinatesProps) {
  return (
    <g class="coordinates" font-size={28 * scale}>
      {files.map((file, at) => (
        <text
          key={`f${file}`}
          x={(at + 0.5) * UNIT}
          y={ranks.length * UNIT + 6 + 30 * scale}
          text-anchor="middle"
        >
          {String.fromCharCode(97 + file)}
        </text>
      ))}
      {ranks.map((rank, at) => (
        <text key={`r${rank}`} x={-6 - 21 * scale} y={(at + 0.5) * UNIT + 9 * scale} text-anchor="middle">
          {rank + 1}
        </text>
      ))}
    </g>
  );
}

interface LastTurnProps {
  squares: readonly Square[];
  rules: Game;
  at: (square: Square) => Point;
}

/** Where it began is a hollow frame, where it went a filled one, where it fired a frame of another colour. */
export function LastTurn({ squares, rules, at }: LastTurnProps) {
  const [from, ...rest] = squares;
  const fire = rules.fires && rest.length > 1 ? rest.pop() : undefined;
  const to = rest.pop();
  return (
    <g class="last">
      {from !== undefined && <Frame kind={to === undefined ? 'to' : 'from'} at={at(from)} />}
      {rest.map((square) => (
        <Frame key={square} kind="between" at={at(square)} />
      ))}
      {to !== undefined && <Frame kind="to" at={at(to)} />}
      {fire !== undefined && <Frame kind="fire" at={at(fire)} />}
    </g>
  );
}

function Frame({ kind, at: { x, y } }: { kind: 'from' | 'between' | 'to' | 'fire'; at: Point }) {
  return (
    <g class={kind}>
      <rect class="tint" x={x - HALF} y={y - HALF} width={UNIT} height={UNIT} />
      <rect class="edge" x={x - HALF + 4} y={y - HALF + 4} width={UNIT - 8} height={UNIT - 8} rx={3} />
    </g>
  );
}

export function Chosen({ at: { x, y } }: { at: Point }) {
  return (
    <g class="chosen">
      <rect class="tint" x={x - HALF} y={y - HALF} width={UNIT} height={UNIT} />
      <rect class="edge" x={x - HALF + 4} y={y - HALF + 4} width={UNIT - 8} height={UNIT - 8} rx={3} />
    </g>
  );
}
