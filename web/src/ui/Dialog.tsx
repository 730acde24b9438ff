// A modal dialog on the browser's own <dialog>, which keeps the focus inside and closes on Escape.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { phrase } from '../messages';
import { closeDialog } from './dialogs';

/** The control that has the focus first: of radio buttons and tabs the chosen one. The browser would take the ✕. */
const FIRST =
  ':is(button, select, textarea, input:not([type="radio"]), :checked):not(:disabled, [tabindex="-1"])';

export function Dialog({
  title,
  children,
  wide,
}: {
  title: string;
  children: ComponentChildren;
  wide?: boolean;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = element.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>(`.dialog-body ${FIRST}`)?.focus();
    return () => shown?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click on the backdrop does
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      // The event comes late: when another dialog has taken the place of this one, it is not meant for that.
      onClose={() => element.current && closeDialog()}
      // A click on the backdrop is a click on the dialog element itself.
      onClick={(event) => event.target === element.current && closeDialog()}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button type="button" class="icon" aria-label={phrase('shell.close')} onClick={closeDialog}>
          ✕
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
