// A lesson or a problem without looking at the board: the pieces as words, and a box for turns.

import type { ReadonlySignal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { gameOf, type VariantId } from '../games';
import { say } from '../live';
import { phrase } from '../messages';
import { pieceName, sideName } from '../names';
import type { BoardView } from '../squares';
import { type TurnIndex, textOf } from '../turns';

/** The lesson or problem for which turns are typed. */
export interface TextRun {
  readonly variant: VariantId;
  readonly view: ReadonlySignal<BoardView | null>;
  readonly turns: ReadonlySignal<TurnIndex | null>;
  /** Waits until the engine has said what is legal on the board, or that it cannot. */
  ready(): Promise<void>;
  /** Says whether the turn is legal. */
  typed(text: string): boolean;
}

export function TurnText({ run }: { run: TextRun }) {
  const input = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');
  const rules = gameOf(run.variant);
  const view = run.view.value;
  const places = new Map<string, string[]>();
  for (const [square, letter] of view?.pieces ?? []) {
    const name = pieceName(letter, rules);
    places.set(name, [...(places.get(name) ?? []), square]);
  }
  const words = [...places].map(([name, squares]) =>
    phrase('learn.piece', { piece: name, squares: squares.join(', ') }),
  );
  const speak = (text: string) => {
    setAnswer(text);
    say(text);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    await run.ready();
    const text = input.current?.value.trim() ?? '';
    if (!text) return;
    const turns = run.turns.peek();
    if (!turns) return speak(phrase('learn.noTurn'));
    if (input.current) input.current.value = '';
    if (text === 'moves' || text === phrase('command.typed.moves')) {
      const { length: count } = turns.turns;
      return speak(phrase('learn.legal', { count, turns: textOf(turns.turns.slice(0, 40)) }));
    }
    if (run.typed(text)) return setAnswer('');
    speak(phrase('learn.notLegal', { turn: text, moves: phrase('command.typed.moves') }));
  };
  return (
    <div class="lesson-text">
      {view && (
        <p>
          {phrase('learn.position', {
            width: view.width,
            height: view.height,
            side: sideName[view.side],
            pieces: words.join('; '),
          })}
        </p>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <label>
          {phrase('learn.type', { turn: rules.fires ? 'd1d7,d7g7' : 'c4e6' })}
          <input ref={input} type="text" autocomplete="off" autocapitalize="off" spellcheck={false} />
        </label>
        <button type="submit">{phrase('learn.enter')}</button>
      </form>
      {answer && <p>{answer}</p>}
    </div>
  );
}
