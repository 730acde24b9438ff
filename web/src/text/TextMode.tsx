// The board for people who do not look at one: a box for turns and commands, the position as a table and in words.
// It stands in the place of the drawn board, in playing, analysing and reviewing alike.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf } from '../errors';
import { bottom, current, game, legal, match, revision, view } from '../game/store';
import { say } from '../live';
import { phrase } from '../messages';
import { pieceName, sideName } from '../names';
import { clocks, timeWords } from '../play/clock';
import { thinking } from '../play/opponent';
import { squareName } from '../squares';
import { typed } from './command';
import { type Answer, answerTo, lastWords, stateWords } from './commands';
import { piecesWords } from './describe';
import './text.css';

interface Said {
  id: number;
  typed: string;
  answer: string;
}

/** Answers that stay to be read again. */
const KEPT = 20;

export function TextMode() {
  return (
    <section class="text-mode" aria-label={phrase('shell.textMode')}>
      <State />
      <CommandBox />
      <BoardTable />
      <details class="text-pieces">
        <summary>{phrase('text.pieces')}</summary>
        <p class="lines">{piecesWords(view.value, game.value)}</p>
      </details>
    </section>
  );
}

function State() {
  // The words come from what stands on the board now.
  for (const changing of [revision, current, match, view, legal, thinking]) changing.value;
  const now = clocks.value;
  return (
    <div class="text-state">
      <h2>{game.value.title}</h2>
      <p>
        <strong>{phrase('text.last')}</strong> {lastWords()}
      </p>
      <p>
        <strong>{phrase('text.now')}</strong> {stateWords()}
      </p>
      {now && (
        <p>
          <strong>{phrase('text.clocks')}</strong>{' '}
          {phrase('text.times', { white: timeWords(now.white), black: timeWords(now.black) })}
        </p>
      )}
    </div>
  );
}

function CommandBox() {
  const box = useRef<HTMLInputElement>(null);
  const history = useSignal<readonly Said[]>([]);
  const back = useSignal(0);
  // Only when there is nothing else to lose: whoever turns the mode on wants to type.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const text = box.current?.value.trim() ?? '';
    if (!text || !box.current) return;
    box.current.value = '';
    back.value = 0;
    const id = (history.peek()[0]?.id ?? 0) + 1;
    const put = (answer: string) => {
      const others = history.peek().filter((said) => said.id !== id);
      history.value = [{ id, typed: text, answer }, ...others].slice(0, KEPT);
    };
    put(phrase('foot.moment'));
    let answer: Answer;
    try {
      answer = await answerTo(text);
    } catch (error) {
      answer = { text: messageOf(error), announced: false };
    }
    put(answer.text);
    if (!answer.announced) say(answer.text.replaceAll('\n', ' '));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined || !box.current) return;
    event.preventDefault();
    back.value = Math.max(0, Math.min(history.peek().length, back.peek() + by));
    box.current.value = history.peek()[back.peek() - 1]?.typed ?? '';
  };
  const example = !game.value.fires ? 'c4e6' : game.value.width > 6 ? 'd1d7,d7g7' : 'b1b4,b4c4';
  return (
    <div class="text-commands">
      <form onSubmit={(event) => void submit(event)}>
        <label for="command">
          {phrase('text.label', {
            turn: example,
            pieces: typed('pieces'),
            last: typed('last'),
            help: typed('help'),
          })}
        </label>
        <div class="text-entry">
          <input
            ref={box}
            id="command"
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onKeyDown={onKeyDown}
          />
          <button type="submit" class="primary">
            {phrase('text.enter')}
          </button>
        </div>
      </form>
      {history.value.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is scrolled by keyboard, too
        <ol class="text-answers" aria-label={phrase('text.answers')} tabIndex={0}>
          {history.value.map(({ id, typed: text, answer }) => (
            <li key={id}>
              <span class="typed">{text}</span>
              <p class="lines">{answer}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const SIGNS: Record<string, string> = { '*': '×' };

function BoardTable() {
  const board = view.value;
  const rules = game.value;
  const white = bottom.value === 'white';
  const files = Array.from({ length: board.width }, (_, at) => (white ? at : board.width - 1 - at));
  const ranks = Array.from({ length: board.height }, (_, at) => (white ? board.height - 1 - at : at));
  return (
    <table class="text-board">
      <caption>{phrase('text.board', { side: sideName[board.side] })}</caption>
      <thead>
        <tr>
          <td />
          {files.map((file) => (
            <th key={file} scope="col">
              {squareName(file, 0).charAt(0)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ranks.map((rank) => (
          <tr key={rank}>
            <th scope="row">{rank + 1}</th>
            {files.map((file) => {
              const square = squareName(file, rank);
              const letter = board.pieces.get(square);
              return (
                <td key={file} data-square={square}>
                  <span aria-hidden="true">{letter === undefined ? '·' : (SIGNS[letter] ?? letter)}</span>
                  <span class="visually-hidden">
                    {letter === undefined
                      ? phrase('text.cellEmpty', { square })
                      : phrase('text.cell', { square, piece: pieceName(letter, rules) })}
                  </span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
