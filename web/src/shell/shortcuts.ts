// Keys that work wherever the focus is, except in text fields and dialogs. Those of the board and of the list of turns
// come first: what they take does not arrive here.

import { step } from '../game/steps';
import { isReading, paused, tab } from '../game/store';
import { say } from '../live';
import { askHint, flip, isShow, resigningSide, setPaused, takeBack } from '../play/actions';
import { clearAhead } from '../play/ahead';
import { set, settings } from '../settings';
import { dialog } from '../ui/dialogs';

export interface Shortcut {
  keys: string[];
  /** What it does, for the list of keys. */
  words: string;
  /** A single letter or sign, which can be switched off for people who speak to their computer. */
  letter: boolean;
  act: () => unknown;
}

export function focusBoard(): void {
  document.querySelector<HTMLElement>('.board-column [role="grid"] [tabindex="0"], #command')?.focus();
}

export function toggleTextMode(): void {
  const on = !settings.peek().textMode;
  set('textMode', on);
  say(on ? 'Text mode is on.' : 'Text mode is off.');
  setTimeout(focusBoard);
}

export function toggleSound(): void {
  const on = !settings.peek().sound;
  set('sound', on);
  say(on ? 'Sound is on.' : 'Sound is off.');
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ['?'], words: 'This list', letter: false, act: () => (dialog.value = 'keys') },
  { keys: ['ArrowLeft'], words: 'Previous turn', letter: false, act: () => step('previous') },
  { keys: ['ArrowRight'], words: 'Next turn', letter: false, act: () => step('next') },
  { keys: ['Home'], words: 'Start of the game', letter: false, act: () => step('first') },
  { keys: ['End'], words: 'End of the game', letter: false, act: () => step('last') },
  {
    keys: ['Escape'],
    words: 'Clear the turn entered ahead',
    letter: false,
    act: clearAhead,
  },
  letter('b', 'To the board, or to the command box', focusBoard),
  letter('g', 'New game', () => (dialog.value = 'new')),
  letter('u', 'Take back', () => {
    if (!takeBack()) say('There is nothing to take back.');
  }),
  letter('h', 'Hint', () => void askHint().catch(() => {})),
  letter('r', 'Resign (asks first)', () => {
    if (resigningSide()) dialog.value = 'resign';
  }),
  letter('f', 'Flip the board', flip),
  letter('p', 'Engine against engine: pause or continue', () => {
    if (isShow()) setPaused(!paused.peek());
  }),
  letter('t', 'Text mode on or off', toggleTextMode),
  letter('m', 'Sound on or off', toggleSound),
  letter('1', 'Play', () => (tab.value = 'play')),
  letter('2', 'Analyse', () => (tab.value = 'analyse')),
  letter('3', 'Review', () => (tab.value = 'review')),
  letter('4', 'Learn', () => (tab.value = 'learn')),
  letter('5', 'Problems', () => (tab.value = 'problems')),
];

function letter(key: string, words: string, act: () => void): Shortcut {
  return { keys: [key], words, letter: true, act };
}

/** Keys of the board, for the list: the board acts on them itself. */
export const BOARD_KEYS: readonly [string[], string][] = [
  [['←', '→', '↑', '↓'], 'From square to square'],
  [['Enter'], 'Choose the square'],
  [['Esc'], 'Take the last choice back'],
  [['N'], 'The next square that may be chosen'],
  [['Home', 'End'], 'To the ends of the rank'],
  [['Page up', 'Page down'], 'To the ends of the file'],
  [['Menu'], 'Mark the square; by mouse the right button, also from square to square'],
];

const TEXT = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], dialog';
/** Where these keys mean something already. */
const ARROWS = '[role="grid"], [role="radiogroup"], [role="tablist"], input, [role="slider"]';

export function watchKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || dialog.peek()) return;
    const at = event.target instanceof Element ? event.target : null;
    if (at?.closest(TEXT)) return;
    if (event.key.length > 1 && event.key !== 'Escape' && (at?.closest(ARROWS) || isReading())) return;
    const found = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (!found || (found.letter && !settings.peek().letterKeys)) return;
    event.preventDefault();
    found.act();
  });
}
