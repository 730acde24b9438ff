// Games that come by themselves: a file dragged onto the page, a text pasted, a link opened. And the printer.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../errors';
import { match } from '../game/store';
import { dialog } from '../ui/dialogs';
import { takeLink } from './board';
import { incoming } from './incoming';
import { LinkDialog } from './LinkDialog';
import { type Linked, readLink } from './link';
import type { Source } from './reading';
import { unfinished } from './replace';
import { watchPrinter } from './Sheet';
import './formats.css';

/** A file hovers over the page. */
const hovering = signal(false);
const linked = signal<Linked | null>(null);
const linkProblem = signal('');

export function Exchange() {
  useEffect(() => {
    const stop = [watchFiles(), watchPaste(), watchLinks(), watchPrinter()];
    return () => {
      for (const end of stop) end();
    };
  }, []);
  return (
    <>
      {hovering.value && (
        <div class="drop-here" aria-hidden="true">
          <p>Drop a game here: FEN, PGN, SGF, JSON or games.jsonl</p>
        </div>
      )}
      {dialog.value === 'link' && <LinkDialog linked={linked.value} problem={linkProblem.value} />}
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
    if (file) take(file);
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

function watchLinks(): () => void {
  const open = () => void follow(location.hash);
  open();
  window.addEventListener('hashchange', open);
  return () => window.removeEventListener('hashchange', open);
}

/** Nothing is replaced without a question while a game is going on. */
async function follow(fragment: string): Promise<void> {
  linkProblem.value = '';
  linked.value = null;
  try {
    const found = readLink(fragment);
    if (!found) return;
    // The address is plain again at once: a reload must not bring the link's game back over a newer one.
    history.replaceState(history.state, '', location.pathname + location.search);
    if (unfinished(match.peek())) {
      linked.value = found;
      dialog.value = 'link';
      return;
    }
    await openLink(found);
  } catch (error) {
    linkProblem.value = messageOf(error);
    dialog.value = 'link';
  }
}

/** Rejects if the engine refuses the position. A turn that it refuses ends the line, and is reported. */
export async function openLink(link: Linked): Promise<void> {
  const words = await takeLink(link);
  if (words === '') return;
  linkProblem.value = words;
  dialog.value = 'link';
}
