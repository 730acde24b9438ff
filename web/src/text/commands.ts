// The commands of the text mode. Each gives back what is to be read; whatever is no command is taken as a turn.

import { bestWords } from '../analysis/commands';
import {
  current,
  enterable,
  game,
  go,
  isReading,
  legal,
  legalKnown,
  match,
  tab,
  takeTurn,
  view,
} from '../game/store';
import { lastOf, line } from '../game/tree';
import { sideName, turnSentence, turnWords } from '../names';
import { askHint, flip, isShow, resigningSide, setPaused, takeBack } from '../play/actions';
import { clocks, timeWords } from '../play/clock';
import { decidedNow, decidedWords, endDecided, fillIn, reasonWords } from '../play/decided';
import { stepOnce, thinking } from '../play/opponent';
import { playerName } from '../play/Players';
import { resultOf, stonesOn } from '../play/result';
import { other } from '../protocol';
import { squaresIn } from '../squares';
import { squaresOfTurn, textOf } from '../turns';
import { dialog } from '../ui/dialogs';
import { analysisCommands, runAnalysisCommand } from './analysis';
import {
  boardWords,
  fileSquares,
  lineWords,
  piecesWords,
  rankSquares,
  squareWords,
  toMoveWords,
} from './describe';

interface Command {
  /** What is typed; the first word finds it, others mean the same. */
  names: string[];
  /** As it stands in the help. */
  usage: string;
  help: string;
  act: (rest: string) => string | Promise<string>;
}

/** Turns told at once: a position of the Amazons has more than anybody wants to hear. */
const TOLD = 60;

export const commands: readonly Command[] = [
  command('board', 'the board, rank by rank', () => boardWords(view.peek(), game.peek())),
  command('pieces', 'where the pieces stand', () => piecesWords(view.peek(), game.peek())),
  command('row 4', 'a rank of the board', (rest) => rankWords(rest), ['rank']),
  command('file d', 'a file of the board', (rest) => fileWords(rest), ['column']),
  command('square d4', 'what stands on a square', (rest) => squareWords(rest, view.peek(), game.peek())),
  command('last', 'the last turn', lastWords),
  command('turn', 'whose turn it is, or how the game ended', stateWords, ['who', 'result', 'state']),
  command('moves', 'the legal turns; with a square those that begin there', movesWords, ['turns']),
  command('clock', 'the time left', clockWords, ['time']),
  command('rules', 'the rules in two sentences', () => `${game.peek().title}. ${game.peek().rules}`),
  command('hint', 'a good turn, while you play', hintWords),
  command('undo', 'takes the last turn back', undoWords, ['takeback']),
  command('finish', 'ends a game that is decided', finishWords),
  command('fill', 'plays a game that is decided to its end', fillWords),
  command('resign', 'gives the game up; asks first', resignWords),
  command('new', 'begins a new game', () => open('new', 'The dialog of a new game is open.')),
  command('setup', 'the editor of positions', () => open('editor', 'The editor is open.')),
  command('export', 'games and positions in and out', () => open('formats', 'The dialog is open.'), [
    'import',
  ]),
  command('pause', 'engine against engine: pause, continue, step', () => pauseWords(true)),
  command('continue', '', () => pauseWords(false)),
  command('step', '', stepWords),
  command('back', 'the position before, to look at it', () => walk(-1), ['b']),
  command('forward', 'the position after', () => walk(1), ['f']),
  command('start', 'the start of the game', () => walk(Number.NEGATIVE_INFINITY)),
  command('end', 'the end of the game', () => walk(Number.POSITIVE_INFINITY)),
  command('game', 'all turns so far', gameWords),
  command('fen', 'the position as FEN', () => current.peek().fen ?? 'The position is not known yet.'),
  command('play', 'goes to playing; also analyse, review, learn, problems', () => goTo('play')),
  command('analyse', '', () => goTo('analyse'), ['analyze']),
  command('learn', '', () => goTo('learn')),
  command('problems', '', () => goTo('problems')),
  command('flip', 'turns the board round', () => {
    flip();
    return 'The board is turned round.';
  }),
  command('help', 'this list', helpWords, ['?', 'commands']),
];

function command(usage: string, help: string, act: Command['act'], others: string[] = []): Command {
  // `row 4` is typed with any number.
  return { names: [usage.split(' ')[0]!, ...others], usage, help, act };
}

/** What to read when this was typed. */
export async function answerTo(input: string): Promise<string> {
  const text = input.trim().toLowerCase().replace(/\s+/g, ' ');
  if (text === '') return '';
  for (const { names, act } of commands) {
    const name = names.find((one) => text === one || text.startsWith(`${one} `));
    if (name !== undefined) return act(text.slice(name.length).trim());
  }
  if (text === 'review') tab.value = 'review';
  const said = runAnalysisCommand(text);
  if (said) return said;
  const squares = squaresIn(text);
  if (squares.length === 1 && text === squares[0]) return squareWords(text, view.peek(), game.peek());
  return squares.length > 1 ? turnTyped(text) : `There is no command ${input.trim()}. Type help for a list.`;
}

async function turnTyped(text: string): Promise<string> {
  await legalKnown();
  const turns = enterable.peek();
  if (!turns) return whyNot();
  const turn = turns.find(text);
  if (!turn) {
    const from = squaresIn(text)[0] ?? '';
    const some = turns.beginning([from]).length > 0;
    const more = some
      ? `Type moves ${from} for what can be done from there.`
      : `Nothing can move from ${from}.`;
    return `${text} is not a legal turn here. ${more}`;
  }
  const { side } = view.peek();
  takeTurn(turn);
  return `${turnSentence(turn, side)}.`;
}

/** Why no turn can be entered now. */
function whyNot(): string {
  const now = match.peek();
  const result = resultOf(now);
  if (result && tab.peek() === 'play') return `The game is over. ${result.headline}. ${result.reason}`;
  if (current.peek().outcome !== null) return 'The game is over in this position.';
  if (tab.peek() === 'play' && current.peek() !== now.tip)
    return 'You are looking at another position than the one where the game stands. Type end to go back to the game.';
  const side = thinking.peek();
  if (side) return `${playerName(side)} is thinking.`;
  return 'The engine has not said yet what is legal here. Try again in a moment.';
}

function rankWords(rest: string): string {
  const board = view.peek();
  const squares = rankSquares(Number(rest), board);
  if (squares.length === 0) return `Ranks go from 1 to ${board.height}, as in row 4.`;
  return `Rank ${rest}: ${lineWords(squares, board, game.peek())}`;
}

function fileWords(rest: string): string {
  const board = view.peek();
  const squares = /^[a-k]$/.test(rest) ? fileSquares(rest, board) : [];
  const last = String.fromCharCode(96 + board.width);
  if (squares.length === 0) return `Files go from a to ${last}, as in file d.`;
  return `File ${rest}: ${lineWords(squares, board, game.peek())}`;
}

export function lastWords(): string {
  const { parent, turn, last } = current.peek();
  if (!parent) return 'No turn was played yet.';
  if (!last) return `${turn}.`;
  return parent.toMove ? `${turnSentence(last, parent.toMove)}.` : `${turnWords(last)}.`;
}

/** Whose turn it is, or how the game ended. */
export function stateWords(): string {
  const now = match.peek();
  const result = current.peek() === now.tip ? resultOf(now) : null;
  if (result) return `${result.headline}. ${result.reason}`;
  const { outcome } = current.peek();
  if (outcome) return outcome === 'draw' ? 'A draw.' : `${sideName[outcome]} has won.`;
  const thinks = thinking.peek();
  const stones = game.peek().stones ? ` ${stoneWords()}` : '';
  if (thinks && current.peek() === now.tip) return `${playerName(thinks)} is thinking.${stones}`;
  const decided = current.peek() === now.tip ? decidedNow() : null;
  const certain = decided ? ` Decided: ${decidedWords(decided)}. ${reasonWords(decided)}` : '';
  return `${toMoveWords(view.peek())}${stones}${certain}`;
}

function stoneWords(): string {
  const { white, black } = stonesOn(view.peek());
  return `Stones: White ${white}, Black ${black}.`;
}

async function movesWords(rest: string): Promise<string> {
  await legalKnown();
  const index = legal.peek();
  if (!index) return whyNot();
  if (index.turns.length === 0) return 'There is no legal turn.';
  const squares = squaresIn(rest);
  const fitting = index.beginning(squares);
  if (fitting.length === 0) return `No legal turn begins with ${rest}.`;
  if (fitting.length <= TOLD) return `${count(fitting.length)}: ${textOf(fitting)}`;
  const next = new Map<string, number>();
  for (const turn of fitting) {
    const square = squaresOfTurn(turn)[squares.length];
    if (square) next.set(square, (next.get(square) ?? 0) + 1);
  }
  const begin = squares.length === 0 ? 'From' : squares.length === 1 ? `From ${squares[0]} to` : 'Firing at';
  const list = [...next].map(([square, number]) => `${square} (${number})`).join(', ');
  return `${count(fitting.length)}. ${begin} ${list}. Name the squares for more, as in moves ${[...squares, [...next.keys()][0]].join(' ')}.`;
}

function count(number: number): string {
  return number === 1 ? '1 turn' : `${number} turns`;
}

function clockWords(): string {
  const now = clocks.peek();
  if (!now) return 'This game has no clock.';
  return `White ${timeWords(now.white)}, Black ${timeWords(now.black)}.`;
}

async function hintWords(): Promise<string> {
  if (tab.peek() !== 'play') return bestWords();
  const turn = await askHint();
  return turn ? `Try ${turnWords(turn)}.` : 'There is no hint now: it is not your turn.';
}

function undoWords(): string {
  if (!takeBack()) return 'There is nothing to take back.';
  return `Taken back. ${stateWords()}`;
}

const NOT_DECIDED = 'The result of the game is not certain.';

function finishWords(): string {
  return endDecided() ? stateWords() : NOT_DECIDED;
}

function fillWords(): string {
  return fillIn() ? 'The rest is filled in.' : NOT_DECIDED;
}

function resignWords(): string {
  if (!resigningSide()) return 'There is no game to give up.';
  return open('resign', 'Do you want to resign? A dialog asks.');
}

function open(name: 'new' | 'editor' | 'formats' | 'resign', words: string): string {
  dialog.value = name;
  return words;
}

function pauseWords(value: boolean): string {
  if (!isShow()) return 'This is for games of the engine against itself.';
  setPaused(value);
  return value ? 'Paused. Type step for one turn, continue to go on.' : 'The game goes on.';
}

function stepWords(): string {
  if (!isShow()) return 'This is for games of the engine against itself.';
  setPaused(true);
  stepOnce();
  return 'One turn is played.';
}

function walk(by: number): string {
  let node = current.peek();
  const before = node;
  if (by === Number.NEGATIVE_INFINITY) node = match.peek().tree.root;
  else if (by === Number.POSITIVE_INFINITY) node = tab.peek() === 'play' ? match.peek().tip : lastOf(node);
  else node = (by < 0 ? node.parent : node.children[0]) ?? node;
  if (node === before) return by < 0 ? 'This is the start of the game.' : 'This is the end of the game.';
  go(node);
  return node.parent
    ? `${lastWords()} ${toMoveWords(view.peek())}`
    : `The start of the game. ${toMoveWords(view.peek())}`;
}

function gameWords(): string {
  const nodes = line(current.peek()).slice(1);
  if (nodes.length === 0) return 'No turn was played yet.';
  const first = nodes[0]!.parent?.toMove ?? 'white';
  return nodes
    .map((node, at) => {
      const side = at % 2 === 0 ? first : other(first);
      return `${at + 1}, ${sideName[side]}: ${node.turn}`;
    })
    .join('\n');
}

function goTo(name: 'play' | 'analyse' | 'learn' | 'problems'): string {
  tab.value = name;
  const told = { play: 'Playing.', analyse: 'Analysing.', learn: 'Lessons.', problems: 'Problems.' }[name];
  return isReading() ? told : `${told} ${stateWords()}`;
}

function helpWords(): string {
  const example = game.peek().fires ? 'd1d7,d7g7 or d1d7 g7' : 'c4e6 or c4 e6';
  return [
    `A turn is typed as its squares: ${example}.`,
    ...commands.filter(({ help }) => help).map(({ usage, help }) => `${usage}: ${help}.`),
    ...analysisCommands.map(({ name, does }) => `${name}: ${does}.`),
  ].join('\n');
}
