// The shape of an arrow.
import type { Point } from './geometry';

/** The outline of an arrow from one point to another: a shaft that widens a little, and a head. */
export function arrowShape(from: Point, to: Point, width: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length === 0) return '';
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(length * 0.6, width * 2 + 10);
  const at = (along: number, across: number) =>
    `${round(from.x + ux * along - uy * across)} ${round(from.y + uy * along + ux * across)}`;
  const [thin, thick, wide] = [width * 0.38, width / 2, width * 1.15 + 4];
  const neck = length - head;
  return `M${at(0, -thin)}L${at(neck, -thick)}L${at(neck, -wide)}L${at(length, 0)}L${at(neck, wide)}L${at(neck, thick)}L${at(0, thin)}Z`;
}

/** The point that lies `by` before `to` on the way from `from`; never behind the middle. */
export function shorten(from: Point, to: Point, by: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return to;
  const rest = Math.max(length / 2, length - by) / length;
  return { x: from.x + (to.x - from.x) * rest, y: from.y + (to.y - from.y) * rest };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
