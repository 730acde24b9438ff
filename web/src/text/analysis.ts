// Analysis and review for the text mode.

import { bestWords, evalWords, linesWords } from '../analysis/commands';
import { MOST_LINES } from '../analysis/options';
import { tab } from '../game/store';
import { answerCommand, mistakeWords, reviewWords, summaryWords } from '../review/commands';
import { type Command, command } from './command';

export const analysisCommands: readonly Command[] = [
  command('eval', evalWords, { others: ['evaluation'] }),
  command('best', bestWords),
  command('lines', (rest) => linesWords(Math.max(1, Math.min(MOST_LINES, Number(rest) || 3))), {
    others: ['line'],
    example: '5',
  }),
  command('review', () => {
    tab.value = 'review';
    return reviewWords();
  }),
  command('summary', summaryWords),
  command('next mistake', () => mistakeWords(1), { others: ['next'] }),
  command('previous mistake', () => mistakeWords(-1), { others: ['previous', 'prev mistake', 'prev'] }),
  command('answer', answerCommand),
];
