// The win rate over a game as points of a drawing.

export interface GraphPoint {
  ply: number;
  x: number;
  y: number;
}

/** Runs of neighbouring positions whose value is known. `x` and `y` lie in a drawing of `width` × `height`. */
export function graphRuns(values: readonly (number | null)[], width: number, height: number): GraphPoint[][] {
  const runs: GraphPoint[][] = [];
  let run: GraphPoint[] = [];
  values.forEach((value, ply) => {
    if (value === null) {
      if (run.length > 0) runs.push(run);
      run = [];
    } else {
      run.push({ ply, x: plyToX(ply, values.length, width), y: (1 - value) * height });
    }
  });
  if (run.length > 0) runs.push(run);
  return runs;
}

export function plyToX(ply: number, positions: number, width: number): number {
  return positions <= 1 ? width / 2 : (ply / (positions - 1)) * width;
}

/** The position nearest to a place in the drawing. */
export function xToPly(x: number, positions: number, width: number): number {
  const ply = Math.round((x / width) * (positions - 1));
  return Math.max(0, Math.min(positions - 1, ply));
}

export function linePath(run: readonly GraphPoint[]): string {
  return run.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
}

/** Between the line and an edge: down to the bottom is White's part, up to 0 is Black's. */
export function areaPath(run: readonly GraphPoint[], edge: number): string {
  const [first, last] = [run[0], run[run.length - 1]];
  if (!first || !last) return '';
  return `${linePath(run)}L${round(last.x)} ${edge}L${round(first.x)} ${edge}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
