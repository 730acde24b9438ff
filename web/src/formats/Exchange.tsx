// Games that come by themselves: a file dragged onto the page, a text pasted. And the printer.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { phrase } from '../messages';
import { dialog } from '../ui/dialogs';
import { incoming } from './incoming';
import { LinkDialog } from './LinkDialog';
import { type Source, unpacked } from './reading';
import { watchPrinter } from './Sheet';
import './formats.css';

/** A file hovers over the page. */
const hovering = signal(false);

export function Exchange() {
  useEffect(() => {
    const stop = [watchFiles(), watchPaste(), watchPrinter()];
    return () => {
      for (const end of stop) end();
    };
  }, []);
  return (
    <>
      {hovering.value && (
        <div class="drop-here" aria-hidden="true">
          <p>{phrase('formats.drop')}</p>
        </div>
      )}
      {dialog.value === 'link' && <LinkDialog />}
    </>
  );
}

function take(source: Source): void {
  incoming.value = source;
  dialog.value = 'formats';
}

function watchFiles(): () => void {
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent) => {
    if (!isFile(event)) return;
    event.preventDefault();
    hovering.value = true;
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) hovering.value = false;
  };
  const drop = (event: DragEvent) => {
    if (!isFile(event)) return;
    event.preventDefault();
    hovering.value = false;
    const file = event.dataTransfer?.files[0];
    if (file) void unpacked(file).then(take);
  };
  window.addEventListener('dragover', over);
  window.addEventListener('dragleave', leave);
  window.addEventListener('drop', drop);
  return () => {
    window.removeEventListener('dragover', over);
    window.removeEventListener('dragleave', leave);
    window.removeEventListener('drop', drop);
  };
}

/** Outside of text fields a pasted game is meant for the board. */
function watchPaste(): () => void {
  const paste = (event: ClipboardEvent) => {
    if (event.target instanceof Element && event.target.closest('input, textarea, dialog, [contenteditable]'))
      return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.trim() === '') return;
    event.preventDefault();
    take(text);
  };
  window.addEventListener('paste', paste);
  return () => window.removeEventListener('paste', paste);
}
