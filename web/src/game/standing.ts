// The engine's value of a position, from White's view and in words.
import { number, phrase, percent as written } from '../messages';
import { sideName } from '../names';
import { type Outcome, other, type Proven as ProvenResult, type Side, type Wdl } from '../protocol';

export interface Standing {
  /** Expected score of White, 0 … 1. */
  white: number;
  /** White wins, draw, Black wins, in thousandths. */
  wdl: Wdl;
  proven: Proven | null;
  /** The standard deviation of the difference to what a search ten times as long will show. */
  spread?: number;
}

export interface Proven {
  outcome: Outcome;
  /** Turns of both sides until the game ends; 0 if it is over, `null` if that is not known. */
  plies: number | null;
}

interface Value {
  winrate: number;
  wdl: Wdl;
  result?: ProvenResult;
  spread?: number;
}

/** Turns what was said from the mover's view to White's. */
export function standing(value: Value, mover: Side): Standing {
  const [win, draw, loss] = value.wdl;
  return {
    white: mover === 'white' ? value.winrate : 1 - value.winrate,
    wdl: mover === 'white' ? value.wdl : [loss, draw, win],
    proven: value.result ? proven(value.result, mover) : null,
    ...(value.spread !== undefined && { spread: value.spread }),
  };
}

export function proven(result: ProvenResult, mover: Side): Proven {
  const plies = result.plies ?? null;
  if (result.outcome === 'draw') return { outcome: 'draw', plies };
  return { outcome: result.outcome === 'win' ? mover : other(mover), plies };
}

/** "57%". What is not proven never reads as 100%, and as 0% only where nothing is left of it. */
export function percent(share: number, certain = false): string {
  if (!certain && share > 0.99) return phrase('verdict.over', { share: written(0.99) });
  return !certain && share < 0.01 && share >= 0.0005 ? underOne() : written(share);
}

/** Of what is not nothing, though it would read so. */
export function underOne(): string {
  return phrase('verdict.under', { share: written(0.01) });
}

/** The share of White as a short number for bars and lists: "57", "<1", ">99". */
export function shortPercent(share: number, certain = false): string {
  if (!certain && share < 0.01) return '<1';
  if (!certain && share > 0.99) return '>99';
  return String(Math.round(share * 100));
}

export function provenWords(result: Proven): string {
  if (result.outcome === 'draw') return phrase(result.plies === 0 ? 'verdict.drawn' : 'verdict.drawProven');
  const side = sideName[result.outcome];
  if (result.plies === 0) return phrase('verdict.won', { side });
  if (result.plies === null) return phrase('verdict.wins', { side });
  return phrase('verdict.winsIn', { side, count: ownTurns(result.plies) });
}

/** The winner's own turns among those of both sides until the end. */
export function ownTurns(plies: number): number {
  return Math.ceil(plies / 2);
}

/** By the per cents above 50 that people read: no number has two words. */
const WORDS = [
  [10, 'slightly'],
  [22, 'better'],
  [38, 'much'],
  [50, 'winning'],
] as const;
/** Up to here nobody is. */
const EVEN = 4;

/** "White is better", or what is proven. */
export function verdict({ white, proven: result }: Standing): string {
  if (result) return provenWords(result);
  const lead = Math.abs(Math.round(white * 100) - 50);
  const [, words] = WORDS.find(([most]) => lead <= most) ?? [50, 'winning'];
  return lead <= EVEN
    ? phrase('verdict.even')
    : phrase(`verdict.${words}`, { side: sideName[white > 0.5 ? 'white' : 'black'] });
}

/** "White wins 57%, draw 3%, Black wins 40%"; draws are left out where the rules know none. */
export function shares({ wdl, proven: result }: Standing, draws: boolean): string {
  const certain = result !== null;
  const [white = '', draw = '', black = ''] = wholes(wdl).map((whole, at) => {
    const share = (wdl[at] ?? 0) / 1000;
    // At the ends the words of `percent`, between them whole numbers that sum to 100.
    return share < 0.01 || share > 0.99 ? percent(share, certain) : written(whole / 100);
  });
  return draws
    ? phrase('verdict.sharesDraw', { white, draw, black })
    : phrase('verdict.shares', { white, black });
}

/**
 * "± 6": how far the shares may be from those of a longer search; nothing where that is not known, or where a share is
 * written as "over 99%".
 */
export function doubt({ spread, wdl }: Standing): string {
  const points = Math.max(...wdl) > 990 ? 0 : Math.round(100 * (spread ?? 0));
  return points > 0 ? phrase('verdict.doubt', { points: number(points) }) : '';
}

/** Thousandths as per cents that sum to 100: the largest remainders are rounded up. */
function wholes(thousandths: readonly number[]): number[] {
  const whole = thousandths.map((part) => Math.floor(part / 10));
  const missing =
    Math.round(thousandths.reduce((sum, part) => sum + part, 0) / 10) - whole.reduce((a, b) => a + b, 0);
  const byRest = thousandths.map((part, at) => ({ at, rest: part % 10 })).sort((a, b) => b.rest - a.rest);
  for (const { at } of byRest.slice(0, missing)) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}

/** "1,234", "56 k", "7.8 M". */
export function shortNumber(value: number): string {
  if (value < 10_000) return number(value);
  if (value < 1_000_000) return `${number(Math.round(value / 1000))} k`;
  if (value < 1_000_000_000) return `${number(value / 1_000_000, 1)} M`;
  return `${number(value / 1_000_000_000, 1)} G`;
}
