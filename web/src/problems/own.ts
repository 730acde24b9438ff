// Problems from somebody's own mistakes, kept in the browser. They count for no rating: nobody has measured how hard they
// are.
import { computed } from '@preact/signals';
import { isVariant } from '../games';
import { phrase } from '../messages';
import { keptSignal } from '../storage';
import { type Group, groupOf, type Problem } from './suite';

/** The group of these problems. */
export const OWN = 'mistakes';

const KEY = 'mistakes';
/** The oldest make room for new ones. */
const MOST = 200;

function read(value: unknown): readonly Problem[] {
  const problems = value as Problem[];
  if (!problems.every(({ id, mistake }) => groupOf(id) === OWN && mistake))
    throw new Error('no problems from mistakes');
  // One's own rules may be gone.
  return problems.filter(({ variant }) => isVariant(variant));
}

export const own = keptSignal(KEY, read, []);

/** All of them as a group; `null` if there are none. */
export const ownGroup = computed<Group | null>(() => {
  if (own.value.length === 0) return null;
  return {
    id: OWN,
    get title() {
      return phrase('mine.title');
    },
    levels: [],
    problems: [...own.value],
  };
});

/** Adds those that are not there yet. Gives all of them as they are kept, and says how many are new. */
export function addOwn(found: readonly Omit<Problem, 'id'>[]): { problems: Problem[]; added: number } {
  const before = own.peek();
  let last = Number(before.at(-1)?.id.slice(OWN.length + 1) ?? 0);
  const problems = found.map((one) => {
    const known = before.find(({ variant, fen }) => variant === one.variant && fen === one.fen);
    if (known) return known;
    last += 1;
    return { ...one, id: `${OWN}-${last}` };
  });
  const added = problems.filter((one) => !before.includes(one));
  own.value = [...before, ...added].slice(-MOST);
  return { problems, added: added.length };
}
