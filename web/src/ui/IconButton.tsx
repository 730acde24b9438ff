// A button that is a drawing: its words are for tips, and for those who do not see it.
import type { ComponentProps } from 'preact';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'label'> {
  label: string;
  /** A path in 24×24. */
  drawing: string;
}

export function IconButton({ label, drawing, class: more = '', ...others }: IconButtonProps) {
  return (
    <button type="button" class={`icon ${more}`} aria-label={label} title={label} {...others}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={drawing} />
      </svg>
    </button>
  );
}

export const BACK = 'M9 14L4 9l5-5M4 9h10a5.5 5.5 0 0 1 0 11h-3';
