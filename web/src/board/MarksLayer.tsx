// Ownership and territory on the squares. Estimates are small shapes that grow with certainty, what is settled covers
// the square; White's shapes are round and its hatching rises, Black's are square and its hatching falls, so that
// nothing hangs on colour.

import type { Square } from '../squares';
import type { Point } from './geometry';
import type { SquareLabel, SquareMark } from './layers';
import { Hatches } from './pieces';

const SIDE = 100;

interface MarksProps {
  marks: readonly SquareMark[];
  labels: readonly SquareLabel[];
  centre: (square: Square) => Point;
  /** There a mark keeps to a corner, so that the piece is seen. */
  occupied: ReadonlyMap<Square, string>;
}

export function MarksLayer({ marks, labels, centre, occupied }: MarksProps) {
  if (marks.length === 0 && labels.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group takes no focus
    <g class="marks" aria-hidden="true">
      <Hatches />
      {marks.map((mark) => (
        <Mark key={mark.square} mark={mark} at={centre(mark.square)} corner={occupied.has(mark.square)} />
      ))}
      {labels.map((label) => (
        <Label key={label.square} label={label} at={centre(label.square)} />
      ))}
    </g>
  );
}

function ownerClass(owner: number): string {
  if (owner === 0) return 'of-nobody';
  return owner > 0 ? 'of-white' : 'of-black';
}

interface MarkProps {
  mark: SquareMark;
  at: Point;
  corner: boolean;
}

function Mark({ mark: { owner, settled }, at, corner }: MarkProps) {
  const side = ownerClass(owner);
  if (settled) {
    const box = { x: at.x - SIDE / 2, y: at.y - SIDE / 2, width: SIDE, height: SIDE };
    return (
      <g class={`mark settled ${side}`}>
        <rect class="tint" {...box} />
        {owner !== 0 && <rect fill={`url(#hatch-${owner > 0 ? 'white' : 'black'})`} {...box} />}
      </g>
    );
  }
  const radius = (corner ? 4 : 5) + (corner ? 9 : 11) * Math.min(1, Math.abs(owner));
  const { x, y } = corner ? { x: at.x + SIDE * 0.33, y: at.y - SIDE * 0.33 } : at;
  return owner > 0 ? (
    <circle class={`mark estimate ${side}`} cx={x} cy={y} r={radius} />
  ) : (
    <rect
      class={`mark estimate ${side}`}
      x={x - radius * 0.9}
      y={y - radius * 0.9}
      width={radius * 1.8}
      height={radius * 1.8}
    />
  );
}

function Label({ label: { text, owner }, at: { x, y } }: { label: SquareLabel; at: Point }) {
  const size = text.length > 6 ? 22 : text.length > 2 ? 28 : 36;
  const width = Math.max(52, text.length * size * 0.56 + 22);
  return (
    <g class={`region-label ${ownerClass(owner)}`}>
      {/* Round for White, square for Black, as the shapes of estimates. */}
      <rect x={x - width / 2} y={y - 26} width={width} height={52} rx={owner > 0 ? 26 : owner < 0 ? 4 : 12} />
      <text x={x} y={y} font-size={size} text-anchor="middle" dominant-baseline="central">
        {text}
      </text>
    </g>
  );
}
