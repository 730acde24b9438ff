// Whose squares are: what the engine says of ownership and territory, as marks on the board and in words.

import type { SquareLabel, SquareMark } from '../board/layers';
import { phrase } from '../messages';
import { sideName } from '../names';
import type { RegionInfo, Side, Stones, Territory } from '../protocol';
import { coordinates, squaresOf } from '../squares';

interface Size {
  width: number;
  height: number;
}

/** Below this nobody owns a square enough to draw it. */
const LEAST = 0.08;

/** Marks from White's view. Squares of regions that are one side's alone are settled. */
export function ownershipMarks(
  ownership: readonly (number | null)[],
  mover: Side,
  { width, height }: Size,
  territory: Territory | undefined,
): SquareMark[] {
  const settled = settledSquares(territory);
  const sign = mover === 'white' ? 1 : -1;
  const marks: SquareMark[] = [];
  squaresOf(width, height).forEach((square, index) => {
    const value = ownership[index];
    const owner = settled.get(square);
    if (owner !== undefined) {
      if (value !== null && value !== undefined) marks.push({ square, owner: ownerOf(owner), settled: true });
    } else if (typeof value === 'number' && Math.abs(value) >= LEAST) {
      marks.push({ square, owner: value * sign, settled: false });
    }
  });
  return marks;
}

/** Whose a region is, as marks and labels tell it. */
export function ownerOf(owner: RegionInfo['owner']): number {
  if (owner === 'contested') return 0;
  return owner === 'white' ? 1 : -1;
}

/** Only what is certain: the squares of closed regions. */
export function territoryMarks(territory: Territory, occupied: ReadonlyMap<string, string>): SquareMark[] {
  return [...settledSquares(territory)]
    .filter(([square]) => !occupied.has(square))
    .map(([square, owner]) => ({ square, owner: ownerOf(owner), settled: true }));
}

function settledSquares(territory: Territory | undefined): Map<string, Side> {
  const settled = new Map<string, Side>();
  for (const region of territory?.regions ?? []) {
    if (region.owner === 'contested') continue;
    for (const square of region.squares) settled.set(square, region.owner);
  }
  return settled;
}

/** The turns of each region, written on its middlemost empty square. */
export function regionLabels(territory: Territory, occupied: ReadonlyMap<string, string>): SquareLabel[] {
  const labels: SquareLabel[] = [];
  for (const region of territory.regions) {
    const empty = region.squares.filter((square) => !occupied.has(square));
    const square = middle(empty);
    if (square === null) continue;
    if (region.owner === 'contested') {
      // As long as all of it may go to either side, nothing is counted.
      if (isNarrowed(region)) labels.push({ square, text: worthText(region), owner: 0 });
    } else {
      const owner = ownerOf(region.owner);
      labels.push({ square, text: range(region.turns[region.owner]), owner });
    }
  }
  return labels;
}

/** Is more known of a contested region than that each side may get all of it? */
export function isNarrowed({ worth: [least, most], empty }: RegionInfo): boolean {
  return most - least < 2 * empty;
}

/** The square nearest to the middle of all. */
function middle(squares: readonly string[]): string | null {
  const points = squares.map(coordinates);
  const x = points.reduce((sum, { file }) => sum + file, 0) / points.length;
  const y = points.reduce((sum, { rank }) => sum + rank, 0) / points.length;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  points.forEach(({ file, rank }, index) => {
    const distance = (file - x) ** 2 + (rank - y) ** 2;
    if (distance < least) {
      least = distance;
      best = squares[index] ?? null;
    }
  });
  return best;
}

/** "12", or "10–12" if it is not known exactly. */
export function range([least, most]: readonly [number, number]): string {
  return span(signed(least), signed(most));
}

function span(least: string, most: string): string {
  return least === most ? least : phrase('counts.range', { least, most });
}

/** A minus sign that is as wide as a figure. */
function signed(value: number): string {
  return String(value).replace('-', '−');
}

/** The worth of a contested region for White: "+2", "−1 to +3". */
export function worthText(region: RegionInfo): string {
  const plus = (value: number) => (value > 0 ? `+${value}` : signed(value));
  const [least, most] = region.worth;
  return span(plus(least), plus(most));
}

/** "White leads by 3½ turns", from what is said from the mover's view. */
export function marginWords(margin: number, mover: Side): string {
  const white = mover === 'white' ? margin : -margin;
  if (white === 0) return phrase('counts.neither');
  return phrase('counts.leads', { side: ahead(white), margin: amount(Math.abs(white), 'turns') });
}

/** "3½ turns", "½ turn", "1 stone". */
export function amount(much: number, unit: 'turns' | 'stones'): string {
  // Half a turn is a turn, and what is more is turns.
  return phrase(`result.${unit}`, { count: Math.ceil(much), amount: halves(much) });
}

/** "3½", "½", "1". */
function halves(much: number): string {
  const whole = Math.floor(much);
  return much === whole ? String(whole) : `${whole > 0 ? whole : ''}½`;
}

/** "2½ to 9½ turns", from bounds of what White leads by, of which the first is the lower one. */
export function amounts(bounds: number[], unit: 'turns' | 'stones'): string {
  const [least = 0, most = 0] = bounds.map(Math.abs).sort((one, other) => one - other);
  return phrase('counts.range', { least: halves(least), most: amount(most, unit) });
}

/** The side that leads, by what White leads. */
function ahead(white: number): string {
  return sideName[white > 0 ? 'white' : 'black'];
}

/** White's expected lead in turns at the end, in words. */
export function leadWords(lead: number, mover: Side): string {
  const white = mover === 'white' ? lead : -lead;
  const count = Math.round(Math.abs(white) * 10) / 10;
  return count === 0 ? phrase('counts.noLead') : phrase('counts.lead', { side: ahead(white), count });
}

/** White's lead in stones at the end, in words. */
export function stonesWords(stones: Stones, mover: Side): string {
  const white = mover === 'white' ? stones.expectedMargin : -stones.expectedMargin;
  const count = Math.round(Math.abs(white) * 10) / 10;
  return count === 0 ? phrase('counts.noStones') : phrase('counts.stonesLead', { side: ahead(white), count });
}
