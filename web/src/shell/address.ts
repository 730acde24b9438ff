// The address of what is shown, in the fragment: #/analyse, #/learn/amazons-move, #/problems/iago-017. The game of a link
// stays in it while it is on the board: #v=amazons6&m=…, in other views than Play #/analyse?v=…
//
// Another view is a step of the browser's history, so Back leads through views; within a view the address only follows.
// An address that the page wrote holds no news of the game: Back never brings an older state of it onto the board.
import { batch, effect, signal, untracked } from '@preact/signals';
import { follow, following, linkFragment } from '../formats/incoming';
import { TABS, type Tab, tab } from '../game/store';
import { gameOf } from '../games';
import { lessonOf } from '../learn/courses';
import { open as openLesson } from '../learn/progress';
import { lessonTitle } from '../learn/words';
import { language, phrase } from '../messages';
import { DAILY } from '../problems/daily';
import { open as openedProblem, openProblem, problem } from '../problems/progress';
import { closeDialog, dialog } from '../ui/dialogs';

/** Notes of the page on its own steps of the history. */
const OWN = 'hippolyta';

interface View {
  tab: Tab;
  /** The lesson or the problem. */
  item: string;
}

/** The view that is shown. */
function view(): View {
  if (tab.value === 'learn') return { tab: 'learn', item: openLesson.value };
  if (tab.value === 'problems') {
    const id = problem.value?.id ?? openedProblem.value;
    return { tab: 'problems', item: openedProblem.value === DAILY ? DAILY : id };
  }
  return { tab: tab.value, item: '' };
}

/** The view that an address names; `null` if it names none. */
function viewIn(fragment: string): View | null {
  const [, name, item = ''] = /^#\/([a-z]+)(?:\/([\w-]+))?(?:\?|$)/.exec(fragment) ?? [];
  const found = TABS.find((one) => one === name);
  return found ? { tab: found, item } : null;
}

function addressOf({ tab: name, item }: View, game: string): string {
  if (name === 'play' && game) return `#${game}`;
  return `#/${name}${item && `/${item}`}${game && `?${game}`}`;
}

function show({ tab: name, item }: View): void {
  if (name === 'learn' && lessonOf(item)) openLesson.value = item;
  if (name === 'problems' && item) openProblem(item);
  tab.value = name;
}

/** Is `now` the view from before, perhaps with a lesson or problem that was not known then? */
function continues(before: View, now: View): boolean {
  return before.tab === now.tab && (before.item === '' || before.item === now.item);
}

/** The title of a view, which the browser lists in its history. */
function titleOf({ tab: name, item }: View): string {
  const lesson = name === 'learn' ? lessonOf(item)?.lesson : undefined;
  const more = lesson ? lessonTitle(lesson) : name === 'problems' && item && problemName();
  return [more, name !== 'play' && phrase(`tab.${name}`), 'Hippolyta'].filter(Boolean).join(' · ');
}

function problemName(): string {
  const now = problem.peek();
  return now ? `${gameOf(now.variant).title} ${now.id.slice(now.id.lastIndexOf('-') + 1)}` : '';
}

const PLAY: View = { tab: 'play', item: '' };

/** Rises with every address that was gone to. */
const arrivals = signal(0);

export function watchAddress(): void {
  let shown = PLAY;
  /** The address that was gone to or written last. */
  let known = '';
  const arrive = (isOwn: boolean) => {
    const { hash } = location;
    known = hash;
    const wanted = viewIn(hash) ?? (hash === '' || isOwn ? PLAY : null);
    batch(() => {
      if (wanted) show(wanted);
      // Whether there is such a lesson or problem is not known: the address may be put right.
      shown = { tab: tab.peek(), item: '' };
      arrivals.value += 1;
      if (!isOwn) void follow(hash);
    });
  };
  // After a reload the link of an address of our own is that of the game on the board.
  arrive(false);
  effect(() => {
    arrivals.value;
    // The title follows it.
    language.value;
    const now = view();
    const game = now.tab === 'learn' || now.tab === 'problems' ? '' : linkFragment();
    // The link in the address waits for an answer.
    if (following.value || dialog.value === 'link') return;
    untracked(() => {
      // Somebody goes to another address, of which the browser tells later.
      if (location.hash !== known) return;
      const address = addressOf(now, game);
      const stays = continues(shown, now);
      shown = now;
      document.title = titleOf(now);
      // The plain address is that of Play, too.
      if (address === location.hash || (address === '#/play' && stays && location.hash === '')) return;
      if (stays) history.replaceState(OWN, '', address);
      else history.pushState(OWN, '', address);
      known = location.hash;
    });
  });
  window.addEventListener('hashchange', () => {
    batch(() => {
      closeDialog();
      arrive(history.state === OWN);
    });
  });
}
