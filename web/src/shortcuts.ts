// Keys that work anywhere on the page, unless somebody is writing or a dialog is open.
import { entry } from './board/MainBoard';
import { set, settings } from './game/settings';
import { tab } from './game/store';
import { flip, step, toEnd, toStart } from './play/actions';
import { showAnswer, step as nextMistake } from './review/trial';
import { switchTheme } from './theme';
import { dialog } from './ui/dialogs';

export interface Shortcut {
  keys: string[];
  shown: string;
  does: string;
  run(): void;
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ['ArrowLeft'], shown: '←', does: 'One turn back', run: () => step(-1) },
  { keys: ['ArrowRight'], shown: '→', does: 'One turn forward', run: () => step(1) },
  { keys: ['Home'], shown: 'Home', does: 'To the start of the game', run: toStart },
  { keys: ['End'], shown: 'End', does: 'To the end of the line', run: toEnd },
  { keys: ['Escape'], shown: 'Esc', does: 'Undo the half-turn', run: () => void entry.undo() },
  { keys: ['n'], shown: 'N', does: 'New game', run: () => void (dialog.value = 'new') },
  { keys: ['f'], shown: 'F', does: 'Flip the board', run: flip },
  { keys: ['b'], shown: 'B', does: 'To the board: then arrows move, Enter chooses', run: focusBoard },
  {
    keys: ['x'],
    shown: 'X',
    does: 'Text mode on or off',
    run: () => set('textMode', !settings.peek().textMode),
  },
  { keys: ['d'], shown: 'D', does: 'Light or dark', run: switchTheme },
  { keys: ['s'], shown: 'S', does: 'Sound on or off', run: () => set('sound', !settings.peek().sound) },
  { keys: ['m'], shown: 'M', does: 'Review: the next mistake', run: () => inReview(() => nextMistake(1)) },
  { keys: ['M'], shown: 'Shift M', does: 'Review: the mistake before', run: () => inReview(() => nextMistake(-1)) },
  { keys: ['a'], shown: 'A', does: 'Review: show the answer', run: () => inReview(showAnswer) },
  { keys: ['1'], shown: '1', does: 'Play', run: () => void (tab.value = 'play') },
  { keys: ['2'], shown: '2', does: 'Analyse', run: () => void (tab.value = 'analyse') },
  { keys: ['3'], shown: '3', does: 'Review', run: () => void (tab.value = 'review') },
  { keys: ['4'], shown: '4', does: 'Learn', run: () => void (tab.value = 'learn') },
  { keys: ['?'], shown: '?', does: 'This list', run: () => void (dialog.value = 'keys') },
];

function inReview(run: () => void): void {
  if (tab.peek() === 'review') run();
}

function focusBoard(): void {
  document.querySelector<SVGElement>('.board [tabindex="0"]')?.focus();
}

export function startShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.peek()) return;
    const target = event.target as Element | null;
    if (target?.closest('input, select, textarea, [contenteditable]')) return;
    const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  });
}
