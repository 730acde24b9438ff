// Shows motions with the browser's own animations. The document always holds the new position, so ending an animation
// at any moment leaves a right board; a new position takes over from wherever the pieces are.

import { signal } from '@preact/signals';
import type { Square } from '../squares';
import type { Point } from './geometry';
import { type Moment, schedule } from './motion';

const EASE = 'cubic-bezier(0.3, 0.1, 0.2, 1)';

/** Whether pieces glide, unless the system asks for stillness. */
export const isAnimated = signal(true);

export function wantsMotion(): boolean {
  return isAnimated.peek() && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function show(svg: SVGSVGElement, moments: readonly Moment[], at: (square: Square) => Point): void {
  for (const moment of moments) {
    const element = svg.querySelector<SVGGElement>(`[data-piece="${moment.motion.id}"]`);
    if (!element) continue;
    const timing = {
      delay: moment.begin,
      duration: moment.duration,
      easing: EASE,
      fill: 'backwards' as const,
    };
    perform(element, moment, timing, at);
  }
}

function perform(
  element: SVGGElement,
  { motion }: Moment,
  timing: KeyframeAnimationOptions,
  at: (square: Square) => Point,
): void {
  const place = (square: Square) => translate(at(square));
  switch (motion.kind) {
    case 'glide': {
      // Only an animation says where the piece is now; its attribute says already where it will be.
      const running = element.getAnimations().length > 0;
      const [from = '', ...rest] = motion.way.map(place);
      const start = running ? getComputedStyle(element).transform : from;
      stop(element);
      element.animate({ transform: [start, ...rest] }, timing);
      break;
    }
    case 'fly': {
      const end = place(element.dataset.at ?? motion.from);
      element.animate(
        [
          { transform: `${place(motion.from)} scale(0.2)`, opacity: 0 },
          { opacity: 1, offset: 0.25 },
          { transform: `${end} scale(1)`, opacity: 1 },
        ],
        timing,
      );
      break;
    }
    case 'appear':
      element.animate({ opacity: [0, 1] }, timing);
      break;
    case 'fade':
      element.animate({ opacity: [1, 0] }, timing);
      break;
    case 'flip': {
      const half = { ...timing, duration: Number(timing.duration) / 2, easing: 'ease-in' };
      const [was, face] = [element.querySelector('.was'), element.querySelector('.face')];
      was?.animate(
        [
          { transform: 'scaleX(1)', opacity: 1 },
          { transform: 'scaleX(0)', opacity: 1 },
        ],
        half,
      );
      face?.animate(
        { transform: ['scaleX(0)', 'scaleX(1)'] },
        { ...half, delay: Number(timing.delay) + half.duration, easing: 'ease-out' },
      );
      break;
    }
  }
}

export function stop(element: Element): void {
  for (const animation of element.getAnimations({ subtree: true })) animation.cancel();
}

function translate({ x, y }: Point): string {
  return `translate(${x}px, ${y}px)`;
}

/** The moments of a change, or none if nothing shall move. What still moves, for `rest` milliseconds, is waited for. */
export function plan(motions: Parameters<typeof schedule>[0], rest: number): Moment[] {
  return wantsMotion() ? schedule(motions, rest) : [];
}
