// The analysis in words, for the text mode. Each command says one thing and may take a moment.

import { percent, provenWords, shares, standing, verdict } from '../game/standing';
import { current, game } from '../game/store';
import { phrase } from '../messages';
import { sideName, turnWords } from '../names';
import type { MoveInfo } from '../protocol';
import { lineOf } from '../turns';
import { quickLook, resultWords } from './analyser';

/** `eval`: how the position on the board stands. */
export async function evalWords(): Promise<string> {
  const node = current.peek();
  const { standing: now } = await quickLook(node);
  if (!now) return phrase('command.noStanding');
  if (now.proven) return `${verdict(now)}.`;
  return `${verdict(now)}. ${shares(now, game.peek().draws)}.`;
}

/** `best`: the best turn and how the position stands with it. */
export async function bestWords(): Promise<string> {
  const node = current.peek();
  const { lines } = await quickLook(node);
  return lines[0] ? resultWords(node) : phrase('command.noTurn');
}

/** `lines` or `lines 5`: the best turns, one a line. */
export async function linesWords(count = 3): Promise<string> {
  const { lines, search, survey } = await quickLook(current.peek(), count);
  const mover = (search ?? survey)?.rootInfo.currentPlayer ?? 'white';
  if (lines.length === 0) return phrase('command.noTurn');
  const told = lines.slice(0, count).map((info) => {
    const value = standing(info, mover);
    const worth = value.proven
      ? provenWords(value.proven)
      : phrase('analysis.forWhite', { share: percent(value.white) });
    const following = info.pv.slice(1, 4);
    const line = { order: info.order + 1, turn: spelled(info), worth };
    if (following.length === 0) return phrase('command.line', line);
    return phrase('command.lineOn', { ...line, following: following.join(' ') });
  });
  return [phrase('command.bestTurns', { side: sideName[mover] }), ...told].join('\n');
}

function spelled(info: MoveInfo): string {
  const [turn] = lineOf(info);
  return turn ? turnWords(turn) : info.move;
}
