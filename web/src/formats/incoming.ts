// Games that wait for a dialog: a text or a file that was dropped or pasted, and the game of a link.
import { signal } from '@preact/signals';
import { messageOf } from '../errors';
import { current, go, match, revision } from '../game/store';
import { keepRules } from '../host/own';
import { dialog } from '../ui/dialogs';
import { fromElsewhere, nodeOf, takeLink } from './board';
import { type Linked, readLink, rulesOfLink, writeLink } from './link';
import type { Source } from './reading';
import { unfinished } from './replace';

export const incoming = signal<Source | null>(null);

/** The game of a link, until it is decided whether it comes onto the board. */
export const linked = signal<Linked | null>(null);
/** The fault in a link, in a sentence. */
export const linkProblem = signal('');
/** A link is being read: what stands in the address is not on the board yet. */
export const following = signal(false);

/** The fragment of the game on the board if it came from elsewhere. */
export function linkFragment(): string {
  revision.value;
  return fromElsewhere.value === match.value ? writeLink(match.value.tree, current.value).fragment : '';
}

/** Opens the game of a link. Nothing is replaced without a question while a game is going on. */
export async function follow(fragment: string): Promise<void> {
  linkProblem.value = '';
  linked.value = null;
  following.value = true;
  try {
    const rules = rulesOfLink(fragment);
    if (rules) await keepRules(rules);
    const found = readLink(fragment);
    if (!found) return;
    if (isOnBoard(found)) {
      go(nodeOf(match.peek().tree, found.shown));
      fromElsewhere.value = match.peek();
    } else if (unfinished(match.peek())) {
      linked.value = found;
      dialog.value = 'link';
    } else {
      linkProblem.value = await openLink(found);
      if (linkProblem.peek()) dialog.value = 'link';
    }
  } catch (error) {
    linkProblem.value = messageOf(error);
    dialog.value = 'link';
  } finally {
    following.value = false;
  }
}

/**
 * Resolves to what is wrong with the link, or nothing; rejects if the engine refuses the position. A turn that it refuses
 * ends the line. */
export async function openLink(link: Linked): Promise<string> {
  return await takeLink(link);
}

/** After a reload the game of the address is there already, with all that is known of it. */
function isOnBoard({ tree, shown }: Linked): boolean {
  const now = match.peek();
  const { white, black } = now.setup.players;
  if (white.kind === 'engine' || black.kind === 'engine') return false;
  return writeLink(now.tree, nodeOf(now.tree, shown)).fragment === writeLink(tree, shown).fragment;
}
