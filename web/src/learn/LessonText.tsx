// What a lesson and a problem say; without looking at the board the pieces as words, too, and a box for turns.

import { useRef, useState } from 'preact/hooks';
import { gameOf } from '../games';
import { say } from '../live';
import { phrase } from '../messages';
import { pieceName, sideName } from '../names';
import { textOf } from '../turns';
import type { PositionRun } from './positionRun';

/** What was right or wrong. */
export function VerdictLine({ run }: { run: PositionRun }) {
  const verdict = run.verdict.value;
  if (!verdict) return null;
  return (
    <p class={`verdict ${verdict.kind}`}>
      <span aria-hidden="true">{{ right: '✓', wrong: '✗', note: '›' }[verdict.kind]}</span>
      {verdict.text}
    </p>
  );
}

export function TurnText({ run }: { run: PositionRun }) {
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
