// Keys that work wherever the focus is, except in text fields and dialogs. Those of the board and of the list of turns
// come first: what they take does not arrive here.

import { step } from '../game/steps';
import { isReading, paused, TABS, tab } from '../game/store';
import { say } from '../live';
import { type PlainKey, phrase } from '../messages';
import { askHint, flip, isShow, resigningSide, setPaused, takeBack } from '../play/actions';
import { clearAhead } from '../play/ahead';
import { set, settings } from '../settings';
import { entry } from '../table/MainBoard';
import { dialog } from '../ui/dialogs';
import { focusBoard } from '../ui/sight';

export interface Shortcut {
  keys: string[];
  /** The words for it in the list of keys. */
  words: PlainKey;
  /** A single letter or sign, which can be switched off for people who speak to their computer. */
  letter: boolean;
  act: () => unknown;
}

export function toggleTextMode(): void {
  const on = !settings.peek().textMode;
  set('textMode', on);
  say(phrase(on ? 'say.textModeOn' : 'say.textModeOff'));
  setTimeout(focusBoard);
}

export function toggleSound(): void {
  const on = !settings.peek().sound;
  set('sound', on);
  say(phrase(on ? 'say.soundOn' : 'say.soundOff'));
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ['?'], words: 'keys.list', letter: false, act: () => (dialog.value = 'keys') },
  { keys: ['ArrowLeft'], words: 'keys.previous', letter: false, act: () => step('previous') },
  { keys: ['ArrowRight'], words: 'keys.next', letter: false, act: () => step('next') },
  { keys: ['Home'], words: 'keys.first', letter: false, act: () => step('first') },
  { keys: ['End'], words: 'keys.last', letter: false, act: () => step('last') },
  { keys: ['Escape'], words: 'keys.clearAhead', letter: false, act: clearAhead },
  { keys: ['Enter'], words: 'keys.confirm', letter: false, act: () => entry.confirm() },
  letter('b', 'keys.toBoard', focusBoard),
  letter('g', 'play.newGame', () => (dialog.value = 'new')),
  letter('u', 'play.takeBack', () => {
    if (!takeBack()) say(phrase('say.nothingToTakeBack'));
  }),
  letter('h', 'play.hint', () => void askHint().catch(() => {})),
  letter('r', 'keys.resign', () => {
    if (resigningSide()) dialog.value = 'resign';
  }),
  letter('f', 'keys.flip', flip),
  letter('p', 'keys.pause', () => {
    if (isShow()) setPaused(!paused.peek());
  }),
  letter('t', 'keys.textMode', toggleTextMode),
  letter('m', 'keys.sound', toggleSound),
  letter('s', 'settings.title', () => (dialog.value = 'settings')),
  ...TABS.map((name, at) => letter(String(at + 1), `tab.${name}`, () => (tab.value = name))),
];

function letter(key: string, words: PlainKey, act: () => void): Shortcut {
  return { keys: [key], words, letter: true, act };
}

/** Keys of the board, for the list: the board acts on them itself. */
export const BOARD_KEYS: readonly [string[], PlainKey][] = [
  [['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], 'keys.walk'],
  [['Enter'], 'keys.choose'],
  [['Escape'], 'keys.undo'],
  [['N'], 'keys.nextChoice'],
  [['Home', 'End'], 'keys.rank'],
  [['PageUp', 'PageDown'], 'keys.file'],
  [['ContextMenu'], 'keys.mark'],
];

const TEXT = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], dialog';
/** Where these keys mean something already. */
const ARROWS =
  '.board.ringed, [role="radiogroup"], [role="tablist"], input:not([type="checkbox"]), [role="slider"]';
/** Elements that Enter presses. */
const PRESSED = 'button, a, summary';

export function watchKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || dialog.peek()) return;
    const at = event.target instanceof Element ? event.target : null;
    if (at?.closest(TEXT)) return;
    if (event.key.length > 1 && event.key !== 'Escape' && (at?.closest(ARROWS) || isReading())) return;
    if (event.key === 'Enter' && (at?.closest(PRESSED) || !entry.unconfirmed.peek())) return;
    const found = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (!found || (found.letter && !settings.peek().letterKeys)) return;
    event.preventDefault();
    found.act();
  });
}
