// Buttons that are seldom wanted, behind one. They go when one is pressed, or anything else is.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from './IconButton';

export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const close = () => {
    open.value = false;
  };
  useEffect(() => {
    // In Chromium, Tab goes on from whatever was scrolled into view last.
    if (open.value) box.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [open.value]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) close();
    };
    const kinds = ['pointerdown', 'focusin'];
    for (const kind of kinds) document.addEventListener(kind, leave);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, leave);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape goes up from the buttons in it
    <div
      ref={box}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open.peek()) return;
        event.stopPropagation();
        close();
        box.current?.querySelector('button')?.focus();
      }}
    >
      <IconButton
        label={label}
        drawing="M4 7h16M4 12h16M4 17h16"
        aria-expanded={open.value}
        onClick={() => (open.value = !open.peek())}
      />
      {open.value && (
        // biome-ignore lint/a11y: presses of the buttons in it
        <div class="menu-items" onClick={close}>
          {children}
        </div>
      )}
    </div>
  );
}
