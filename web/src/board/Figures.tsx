// The pieces on the board: each drawing keeps its identity while it moves.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Game } from '../games';
import type { Letter, Square } from '../squares';
import type { Point } from './geometry';
import { isFollowable, type Moment, motions } from './motion';
import { Piece } from './pieces';
import { plan, show, stop } from './stage';
import { type Tracked, track } from './track';

interface FiguresProps {
  pieces: ReadonlyMap<Square, Letter>;
  rules: Game;
  last: readonly Square[];
  at: (square: Square) => Point;
  /** The piece under the pointer, and where it is. */
  dragged: { square: Square; point: Point } | null;
  /** A piece was let go here: it is there already. */
  dropped: Square | null;
  /** Jumped over in the turn that is being entered. */
  taken: ReadonlySet<Square>;
}

interface Scene {
  pieces: readonly Tracked[];
  /** Pieces that went, drawn until the next change. */
  leaving: readonly Tracked[];
  /** The colours that stones had. */
  was: ReadonlyMap<number, Letter>;
  moments: readonly Moment[];
  /** When the last of them is over, on the clock of `performance`. */
  over: number;
}

const EMPTY: Scene = { pieces: [], leaving: [], was: new Map(), moments: [], over: 0 };

export function Figures({ pieces, rules, last, at, dragged, dropped, taken }: FiguresProps) {
  const group = useRef<SVGGElement>(null);
  const lastId = useRef(0);
  const scene = useRef<Scene>(EMPTY);
  const drawn = useRef<Scene>(EMPTY);
  if (!isShown(scene.current.pieces, pieces)) {
    const after = track(scene.current.pieces, pieces, () => {
      lastId.current += 1;
      return lastId.current;
    });
    const all = motions(scene.current.pieces, after, last).filter(
      (motion) => motion.kind !== 'glide' || motion.way.at(-1) !== dropped,
    );
    const moments =
      scene.current !== EMPTY && isFollowable(all) ? plan(all, scene.current.over - performance.now()) : [];
    scene.current = {
      pieces: after,
      leaving: moments.flatMap(({ motion }) => (motion.kind === 'fade' ? [motion.piece] : [])),
      was: new Map(
        moments.flatMap(({ motion }) => (motion.kind === 'flip' ? [[motion.id, motion.was]] : [])),
      ),
      moments,
      over: performance.now() + Math.max(0, ...moments.map(({ begin, duration }) => begin + duration)),
    };
  }
  const now = scene.current;
  useLayoutEffect(() => {
    if (drawn.current === now || !group.current) return;
    drawn.current = now;
    const svg = group.current.ownerSVGElement;
    if (now.moments.length > 0 && svg) show(svg, now.moments, at);
    else stop(group.current);
  });
  const leaving = new Set(now.leaving);
  // In a stable order: an element that is put elsewhere in the document loses its animation.
  const all = [...now.leaving, ...now.pieces].sort((a, b) => a.id - b.id);
  const held = dragged && pieces.get(dragged.square);
  return (
    <g class="pieces" ref={group}>
      {all.map((piece) => {
        const { id, square, letter } = piece;
        const { x, y } = at(square);
        const was = now.was.get(id);
        const classes = ['piece-place'];
        if (leaving.has(piece)) classes.push('leaving');
        else if (dragged?.square === square) classes.push('lifted');
        if (taken.has(square)) classes.push('taken');
        return (
          <g
            key={id}
            class={classes.join(' ')}
            data-piece={id}
            data-at={square}
            transform={`translate(${x} ${y})`}
          >
            {was !== undefined && (
              <g class="was">
                <Piece letter={was} rules={rules} />
              </g>
            )}
            <g class="face">
              <Piece letter={letter} rules={rules} />
            </g>
          </g>
        );
      })}
      {held && (
        <g class="held" transform={`translate(${dragged.point.x} ${dragged.point.y})`}>
          <Piece letter={held} rules={rules} />
        </g>
      )}
    </g>
  );
}

function isShown(shown: readonly Tracked[], pieces: ReadonlyMap<Square, Letter>): boolean {
  return shown.length === pieces.size && shown.every(({ square, letter }) => pieces.get(square) === letter);
}
