// Steps through the line of turns that is looked at.
import { current, go, match, revision } from './store';
import { type GameNode, lastOf } from './tree';

export type Step = 'first' | 'previous' | 'next' | 'last';

/** Where a step leads; `null` if it leads nowhere. */
export function stepTo(step: Step): GameNode | null {
  revision.value;
  const node = current.value;
  const forward = node.children[0];
  switch (step) {
    case 'first':
      return node.parent && match.value.tree.root;
    case 'previous':
      return node.parent;
    case 'next':
      return forward ?? null;
    case 'last':
      return forward ? lastOf(forward) : null;
  }
}

/** Says whether there was anywhere to go. */
export function step(by: Step): boolean {
  const found = stepTo(by);
  if (found) go(found);
  return found !== null;
}
