import type { ComponentChildren } from 'preact';
import type { Square } from '../squares';
import { pointed } from './overlay';

interface SquaresLinkProps {
  squares: readonly Square[];
  /** 1 for White, −1 for Black, 0 for nobody. */
  owner?: number;
  children: ComponentChildren;
}

/** Words that show squares on the board while they are pointed at or have the focus. */
export function SquaresLink({ squares, owner = 0, children }: SquaresLinkProps) {
  const show = () => {
    pointed.value = squares.map((square) => ({ square, owner, settled: true }));
  };
  const hide = () => {
    pointed.value = null;
  };
  return (
    <button
      type="button"
      class="link"
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={show}
    >
      {children}
    </button>
  );
}
