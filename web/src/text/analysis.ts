// Analysis and review for the text mode: what is typed, and what is said to it.

import { bestWords, evalWords, linesWords } from '../analysis/commands';
import { MOST_LINES } from '../analysis/options';
import { answerCommand, mistakeWords, reviewWords, summaryWords } from '../review/commands';

export interface TextCommand {
  /** As it is typed. */
  name: string;
  does: string;
  pattern: RegExp;
  run(match: RegExpMatchArray): string | Promise<string>;
}

export const analysisCommands: readonly TextCommand[] = [
  { name: 'eval', does: 'how the position stands', pattern: /^eval(uation)?$/, run: evalWords },
  { name: 'best', does: 'the best turn', pattern: /^best$/, run: bestWords },
  {
    name: 'lines, lines 5',
    does: 'the best turns, three or as many as you say',
    pattern: /^lines?(?: (\d+))?$/,
    run: ([, count]) => linesWords(Math.max(1, Math.min(MOST_LINES, Number(count ?? 3)))),
  },
  { name: 'review', does: 'looks for the mistakes of the game', pattern: /^review$/, run: reviewWords },
  { name: 'summary', does: 'how both sides played', pattern: /^summary$/, run: summaryWords },
  {
    name: 'next mistake',
    does: 'sets the position before the next mistake; enter a better turn',
    pattern: /^next( mistake)?$/,
    run: () => mistakeWords(1),
  },
  {
    name: 'previous mistake',
    does: 'the same with the mistake before',
    pattern: /^prev(ious)?( mistake)?$/,
    run: () => mistakeWords(-1),
  },
  { name: 'answer', does: 'the best turn in place of the mistake', pattern: /^answer$/, run: answerCommand },
];

/** What the command says, in small letters with single blanks; `null` if the text is none of these commands. */
export function runAnalysisCommand(text: string): Promise<string> | null {
  for (const { pattern, run } of analysisCommands) {
    const match = text.match(pattern);
    if (match) return Promise.resolve(run(match));
  }
  return null;
}
