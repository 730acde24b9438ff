// Rule sets of people's own that this browser keeps: those that were played, and those of games from elsewhere.
import { signal } from '@preact/signals';
import { infoOf, isLine, know, type OwnId, type OwnInfo } from './own';
import { follow, load, store } from './storage';

const KEY = 'rules';

/** The last that came in is the first. */
export const kept = signal<readonly OwnInfo[]>(load(KEY, read) ?? []);
know('', kept.peek());
follow(
  KEY,
  read,
  () => [...kept.peek()],
  (told) => {
    know('', told);
    kept.value = told;
  },
);

/** Throws if it is not what `keep` writes. */
function read(value: unknown): OwnInfo[] {
  return (value as OwnInfo[]).filter(({ line, start, sentences }) => isLine(line) && !!start && !!sentences);
}

/** Keeps a rule set that is known, so that its games are found again. */
export function keep(line: OwnId): void {
  const own = infoOf(line);
  kept.value = [own, ...kept.peek().filter((info) => info.line !== own.line)];
  store(KEY, kept.peek());
}
