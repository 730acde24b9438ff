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
import { type PlainKey, phrase } from '../messages';
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
import { analysisCommands } from './analysis';
import { type Command, command, commandIn, typed } from './command';
import {
  boardWords,
  fileSquares,
  lineWords,
  piecesWords,
  rankSquares,
  squareWords,
  toMoveWords,
} from './describe';

/** Turns told at once: a position of the Amazons has more than anybody wants to hear. */
const TOLD = 60;

/** For commands that the help of another one explains. */
const hidden = { help: () => '' };

const commands: readonly Command[] = [
  command('board', () => boardWords(view.peek(), game.peek())),
  command('pieces', () => piecesWords(view.peek(), game.peek())),
  command('row', (rest) => rankWords(rest), { example: '4', others: ['rank'] }),
  command('file', (rest) => fileWords(rest), { example: 'd', others: ['column'] }),
  command('square', (rest) => squareWords(rest, view.peek(), game.peek()), { example: 'd4' }),
  command('last', lastWords),
  command('turn', stateWords, { others: ['who', 'result', 'state'] }),
  command('moves', movesWords, { others: ['turns'] }),
  command('clock', clockWords, { others: ['time'] }),
  command('rules', () => phrase('text.rules', { game: game.peek().title, rules: game.peek().rules })),
  command('hint', hintWords),
  command('undo', undoWords, { others: ['takeback'] }),
  command('finish', finishWords),
  command('fill', fillWords),
  command('resign', resignWords),
  command('new', () => open('new', 'text.newOpen')),
  command('setup', () => open('editor', 'text.editorOpen')),
  command('export', () => open('formats', 'text.dialogOpen'), { others: ['import'] }),
  command('pause', () => pauseWords(true), {
    help: () => phrase('command.help.pause', { continue: typed('continue'), step: typed('step') }),
  }),
  command('continue', () => pauseWords(false), hidden),
  command('step', stepWords, hidden),
  command('back', () => walk(-1), { others: ['b'] }),
  command('forward', () => walk(1), { others: ['f'] }),
  command('start', () => walk(Number.NEGATIVE_INFINITY)),
  command('end', () => walk(Number.POSITIVE_INFINITY)),
  command('game', gameWords),
  command('fen', () => current.peek().fen ?? phrase('text.noFen')),
  command('play', () => goTo('play'), {
    help: () =>
      phrase('command.help.play', {
        analyse: typed('analyse'),
        review: typed('review'),
        learn: typed('learn'),
        problems: typed('problems'),
      }),
  }),
  command('analyse', () => goTo('analyse'), { ...hidden, others: ['analyze'] }),
  command('learn', () => goTo('learn'), hidden),
  command('problems', () => goTo('problems'), hidden),
  command('flip', () => {
    flip();
    return phrase('text.turned');
  }),
  command('help', helpWords, { others: ['?', 'commands'] }),
];

export interface Answer {
  text: string;
  /** A turn was played: the game itself says it, whoever plays it. */
  announced: boolean;
}

/** The answer to a line that was typed. */
export async function answerTo(input: string): Promise<Answer> {
  const text = input.trim().toLowerCase().replace(/\s+/g, ' ');
  const found = commandIn(text, [...commands, ...analysisCommands]);
  if (found) return { text: await found.act(), announced: false };
  const squares = squaresIn(text);
  if (squares.length === 1 && text === squares[0])
    return { text: squareWords(text, view.peek(), game.peek()), announced: false };
  if (squares.length > 1) return turnTyped(text);
  return {
    text: phrase('text.unknown', { typed: input.trim(), help: typed('help') }),
    announced: false,
  };
}

async function turnTyped(text: string): Promise<Answer> {
  await legalKnown();
  const turns = enterable.peek();
  if (!turns) return { text: whyNot(), announced: false };
  const turn = turns.find(text);
  if (!turn) {
    const from = squaresIn(text)[0] ?? '';
    const some = turns.beginning([from]).length > 0;
    const more = some
      ? phrase('text.typeMoves', { example: typed('moves', from) })
      : phrase('text.nothingMoves', { square: from });
    return { text: `${phrase('text.notLegal', { turn: text })} ${more}`, announced: false };
  }
  const { side } = view.peek();
  takeTurn(turn);
  return { text: phrase('text.turnOnly', { turn: turnSentence(turn, side) }), announced: true };
}

/** Why no turn can be entered now. */
function whyNot(): string {
  const now = match.peek();
  const result = resultOf(now);
  if (result && tab.peek() === 'play')
    return phrase('text.over', { headline: result.headline, reason: result.reason });
  if (current.peek().outcome !== null) return phrase('text.overHere');
  if (tab.peek() === 'play' && current.peek() !== now.tip)
    return phrase('text.elsewhere', { end: typed('end') });
  const side = thinking.peek();
  if (side) return phrase('text.thinking', { player: playerName(side) });
  return phrase('text.notKnown');
}

function rankWords(rest: string): string {
  const board = view.peek();
  const squares = rankSquares(Number(rest), board);
  if (squares.length === 0) return phrase('text.ranks', { last: board.height, example: typed('row', '4') });
  return phrase('text.rank', { rank: rest, words: lineWords(squares, board, game.peek()) });
}

function fileWords(rest: string): string {
  const board = view.peek();
  const squares = /^[a-k]$/.test(rest) ? fileSquares(rest, board) : [];
  const last = String.fromCharCode(96 + board.width);
  if (squares.length === 0) return phrase('text.files', { last, example: typed('file', 'd') });
  return phrase('text.file', { file: rest, words: lineWords(squares, board, game.peek()) });
}

export function lastWords(): string {
  const { parent, turn, last } = current.peek();
  if (!parent) return phrase('review.noTurn');
  const words = last && (parent.toMove ? turnSentence(last, parent.toMove) : turnWords(last));
  return phrase('text.turnOnly', { turn: words ?? turn });
}

/** Whose turn it is, or how the game ended. */
export function stateWords(): string {
  const now = match.peek();
  const result = current.peek() === now.tip ? resultOf(now) : null;
  if (result) return phrase('text.ended', { headline: result.headline, reason: result.reason });
  const { outcome } = current.peek();
  if (outcome)
    return outcome === 'draw' ? phrase('sheet.draw') : phrase('foot.won', { side: sideName[outcome] });
  const thinks = thinking.peek();
  const stones = game.peek().stones ? ` ${stoneWords()}` : '';
  if (thinks && current.peek() === now.tip)
    return `${phrase('text.thinking', { player: playerName(thinks) })}${stones}`;
  const decided = current.peek() === now.tip ? decidedNow() : null;
  const certain = decided
    ? ` ${phrase('text.decided', { result: decidedWords(decided), reason: reasonWords(decided) })}`
    : '';
  return `${toMoveWords(view.peek())}${stones}${certain}`;
}

function stoneWords(): string {
  const { white, black } = stonesOn(view.peek());
  return phrase('text.stones', { white, black });
}

async function movesWords(rest: string): Promise<string> {
  await legalKnown();
  const index = legal.peek();
  if (!index) return whyNot();
  if (index.turns.length === 0) return phrase('text.noLegal');
  const squares = squaresIn(rest);
  const fitting = index.beginning(squares);
  if (fitting.length === 0) return phrase('text.noneBegins', { squares: rest });
  if (fitting.length <= TOLD)
    return phrase('text.legal', { count: count(fitting.length), turns: textOf(fitting) });
  const next = new Map<string, number>();
  for (const turn of fitting) {
    const square = squaresOfTurn(turn)[squares.length];
    if (square) next.set(square, (next.get(square) ?? 0) + 1);
  }
  const list = [...next]
    .map(([square, number]) => phrase('text.squareCount', { square, count: number }))
    .join(', ');
  const [from] = squares;
  return phrase('text.many', {
    count: count(fitting.length),
    begin:
      from === undefined
        ? phrase('text.begin.none', { list })
        : squares.length === 1
          ? phrase('text.begin.one', { from, list })
          : phrase('text.begin.two', { list }),
    example: typed('moves', [...squares, [...next.keys()][0]].join(' ')),
  });
}

function count(number: number): string {
  return phrase('import.turns', { count: number });
}

function clockWords(): string {
  const now = clocks.peek();
  if (!now) return phrase('text.noClock');
  return phrase('text.times', { white: timeWords(now.white), black: timeWords(now.black) });
}

async function hintWords(): Promise<string> {
  if (tab.peek() !== 'play') return bestWords();
  const turn = await askHint();
  return turn ? phrase('text.try', { turn: turnWords(turn) }) : phrase('text.noHint');
}

function undoWords(): string {
  if (!takeBack()) return phrase('say.nothingToTakeBack');
  return phrase('text.taken', { state: stateWords() });
}

function finishWords(): string {
  return endDecided() ? stateWords() : phrase('text.notCertain');
}

function fillWords(): string {
  return phrase(fillIn() ? 'decided.filling' : 'text.notCertain');
}

function resignWords(): string {
  if (!resigningSide()) return phrase('text.noGame');
  return open('resign', 'text.resign');
}

function open(name: 'new' | 'editor' | 'formats' | 'resign', words: PlainKey): string {
  dialog.value = name;
  return phrase(words);
}

function pauseWords(value: boolean): string {
  if (!isShow()) return phrase('text.onlyShow');
  setPaused(value);
  return value
    ? phrase('text.paused', { step: typed('step'), continue: typed('continue') })
    : phrase('text.goesOn');
}

function stepWords(): string {
  if (!isShow()) return phrase('text.onlyShow');
  setPaused(true);
  stepOnce();
  return phrase('text.onePlayed');
}

function walk(by: number): string {
  let node = current.peek();
  const before = node;
  if (by === Number.NEGATIVE_INFINITY) node = match.peek().tree.root;
  else if (by === Number.POSITIVE_INFINITY) node = tab.peek() === 'play' ? match.peek().tip : lastOf(node);
  else node = (by < 0 ? node.parent : node.children[0]) ?? node;
  if (node === before) return phrase(by < 0 ? 'text.isStart' : 'text.isEnd');
  go(node);
  return node.parent
    ? `${lastWords()} ${toMoveWords(view.peek())}`
    : phrase('text.atStart', { toMove: toMoveWords(view.peek()) });
}

function gameWords(): string {
  const nodes = line(current.peek()).slice(1);
  if (nodes.length === 0) return phrase('review.noTurn');
  const first = nodes[0]!.parent?.toMove ?? 'white';
  return nodes
    .map((node, at) => {
      const side = at % 2 === 0 ? first : other(first);
      return phrase('moves.turn', { number: at + 1, side: sideName[side], turn: node.turn });
    })
    .join('\n');
}

function goTo(name: 'play' | 'analyse' | 'learn' | 'problems'): string {
  tab.value = name;
  const told = phrase(`text.going.${name}`);
  return isReading() ? told : `${told} ${stateWords()}`;
}

function helpWords(): string {
  const [one, two] = game.peek().fires ? ['d1d7,d7g7', 'd1d7 g7'] : ['c4e6', 'c4 e6'];
  const told = [...commands, ...analysisCommands].map(({ id, example, help }) => [
    typed(id, example),
    help(),
  ]);
  return [
    phrase('text.spelling', { one, two }),
    ...told
      .filter(([, help]) => help)
      .map(([name = '', help = '']) => phrase('text.help', { typed: name, help })),
  ].join('\n');
}
