// People's own games in the explorer: those that the page keeps, and those of the file that was opened last. Which of their
// positions are on the board, the engine tells.
import { computed, signal } from '@preact/signals';
import { turnsTo } from '../game/tree';
import { gameOf, isOwn, isVariant, type VariantId } from '../games';
import { keptGames } from '../history/games';
import { session } from '../host';
import type { GameRecord, Outcome } from '../protocol';
import { type BoardView, squaresIn, viewOf } from '../squares';
import { type Counted, type Counts, classOf, type Form, formOf, type Way } from './openings';

/** A finished game. */
export interface Listed {
  variant: VariantId;
  start: string;
  turns: readonly string[];
  winner: Outcome;
}

const WINNERS: Record<string, Outcome> = { '1-0': 'white', '1/2-1/2': 'draw', '0-1': 'black' };

/** The file, or the text, of which a game was put on the board last. */
export const opened = signal<{ name: string; games: readonly Listed[] } | null>(null);

export function openGames(name: string, records: readonly GameRecord[]): void {
  const games = records.flatMap((record): Listed[] => {
    const variant = record.rules ?? record.variant;
    const winner = WINNERS[record.result ?? ''];
    if (!winner || !isVariant(variant)) return [];
    const start = record.fen ?? gameOf(variant).start;
    return [{ variant, start, turns: record.moves.map(({ move }) => move), winner }];
  });
  opened.value = games.length > 0 ? { name, games } : null;
}

export const kept = computed(() =>
  keptGames.value.flatMap(({ setup: { variant, start }, ending, tip }): Listed[] => {
    const winner = ending?.winner ?? tip.outcome;
    return winner ? [{ variant, start: start ?? gameOf(variant).start, turns: turnsTo(tip), winner }] : [];
  }),
);

/** Positions are asked for once; so many are kept. */
const MOST = 5000;
const known = new Map<string, BoardView>();

async function viewAfter(variant: VariantId, fen: string, moves: readonly string[]): Promise<BoardView> {
  const name = [variant, fen, ...moves].join();
  let view = known.get(name);
  if (!view) {
    const position = { variant, fen, moves: [...moves] };
    const told = await session.ask({ action: 'legal_moves', ...position, includePosition: true });
    view = viewOf(told.position!);
    if (known.size >= MOST) known.clear();
    known.set(name, view);
  }
  return view;
}

/** Turns of both sides before a position, by the counter of its FEN. */
function pliesBefore(number: number, isBlack: boolean): number {
  return 2 * number + (isBlack ? 1 : 0);
}

function pliesIn(fen: string): number {
  const [, side, , , , number] = fen.split(' ');
  return pliesBefore(Number(number), side === 'b');
}

const squaresText = (squares: readonly string[]) => [...squares].sort().join('');

/** Can a game come to this position? What was fired in the Amazons and in Desdemona stays where it is, whoever owns it. */
function mayBe(
  { variant, start, turns }: Listed,
  length: number,
  view: BoardView,
  ways: readonly Way[],
): boolean {
  const game = gameOf(variant);
  if (isOwn(variant) || game.family === 'damone' || start !== game.start) return true;
  const fixed = (of: BoardView) =>
    [...of.pieces].filter(([, piece]) => !/q/i.test(piece)).map(([square]) => square);
  const fired = turns
    .slice(0, length)
    .flatMap((turn) => (turn.includes(',') ? squaresIn(turn).slice(-1) : []));
  const [here, there] = [squaresText(fixed(view)), [...fixed(viewOf(game.position)), ...fired]];
  return ways.some((way) => squaresText(there.map((square) => way.get(square as never) ?? square)) === here);
}

/** What was played from the position on the board in these games; `null` once that is of no use any more. */
export async function countOwn(
  games: readonly Listed[],
  { variant, view, form, ways }: { variant: VariantId; view: BoardView; form: Form; ways: readonly Way[] },
  isStale: () => boolean,
): Promise<Counted | null> {
  const counted = new Map<string, Counts>();
  const plies = pliesBefore(view.number, view.side === 'black');
  for (const game of games) {
    const length = plies - pliesIn(game.start);
    const turn = game.turns[length];
    if (game.variant !== variant || turn === undefined || !mayBe(game, length, view, ways)) continue;
    const there = formOf(await viewAfter(variant, game.start, game.turns.slice(0, length)), ways);
    if (isStale()) return null;
    if (there.text !== form.text) continue;
    const name = classOf(turn, there);
    const [white, drawn, black] = counted.get(name) ?? [0, 0, 0];
    const { winner } = game;
    counted.set(name, [
      white + Number(winner === 'white'),
      drawn + Number(winner === 'draw'),
      black + Number(winner === 'black'),
    ]);
  }
  return counted;
}
