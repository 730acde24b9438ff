// Why a turn was a mistake, in the language of the page. What was found the engine says; in English the words are its own.
import { amount } from '../analysis/marks';
import { list, number, phrase } from '../messages';
import { sideName } from '../names';
import { other, type ReasonInfo, type Side } from '../protocol';
import { shortForm } from '../turns';

export function reasonWords(reason: ReasonInfo, mover: Side): string {
  const { kind, by, move, numbers, squares, text } = reason;
  const [own, foe] = [sideName[mover], sideName[other(mover)]];
  const turn = move ? shortForm(move) : '';
  const isOwn = by === 'best' || by === 'bestLine';
  const who = !by
    ? ''
    : by === 'line' || by === 'bestLine'
      ? phrase(`reason.${by}`)
      : phrase(`reason.${by}`, { side: foe, turn });
  const [first = 0, second] = numbers;
  switch (kind) {
    case 'missed win':
      return phrase('reason.missedWin', { now: nowWords(second, foe) });
    case 'thrown away':
      return phrase(first === 1 ? 'reason.hadWin' : 'reason.hadDraw', {
        side: own,
        now: nowWords(second, foe),
      });
    case 'forced loss':
      return phrase('reason.forcedLoss', { side: foe });
    case 'territory':
      return phrase('reason.territory', {
        who,
        squares: phrase('reason.squares', { count: first }),
        side: isOwn ? own : foe,
        turns: phrase('games.turns', { count: second ?? 0 }),
      });
    case 'shut in':
      return phrase('reason.shutIn', {
        who,
        side: isOwn ? foe : own,
        count: squares.length,
        squares: list(squares),
      });
    case 'flips': {
      const good = second ?? 0;
      const form = good === 0 ? 'flips' : good === first ? 'flipsGood' : 'flipsSome';
      return phrase(`reason.${form}`, { who, stones: phrase('play.stones', { count: first }), good });
    }
    case 'captures': {
      const pieces = phrase('reason.pieces', { count: first });
      if (by === 'best') return phrase('reason.wins', { who, pieces });
      return phrase(second ? 'reason.takesFor' : 'reason.takes', {
        side: foe,
        pieces,
        turn,
        given: second ?? 0,
      });
    }
    case 'count':
      if (second === undefined) return phrase('reason.costsStones', { lost: Math.round(first) });
      return phrase('reason.counted', {
        lost: amount(first, 'turns'),
        side: second >= 0 ? own : foe,
        lead: amount(Math.abs(second), 'turns'),
      });
    case 'reach':
    case 'mobility':
    case 'pieces':
    case 'promotion':
    case 'damoni':
    case 'advance': {
      const [, theirs = '', could = '', theirsThen = ''] = numbers.map((value) => number(value));
      const has = phrase(`reason.${kind === 'pieces' ? 'pieceCount' : kind}`, { count: first });
      return phrase('reason.held', { side: own, foe, has, theirs, could, theirsThen });
    }
    case 'end':
      if (first === 0.5) return phrase('reason.endDrawn');
      return first === 0 ? phrase('reason.endLost', { side: foe }) : phrase('reason.endWon', { side: own });
    default:
      return text;
  }
}

/** What is proven now: an expected score, if anything is. */
function nowWords(score: number | undefined, foe: string): string {
  if (score === 0.5) return phrase('reason.nowDraw');
  return score === 0 ? phrase('reason.nowLost', { side: foe }) : phrase('reason.nowOpen');
}
