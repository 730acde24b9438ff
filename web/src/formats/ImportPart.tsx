// A text or a file onto the board: what it is, which game of it, what the engine says of it. Nothing on the board changes
// before the button is pressed, and the text stays until it was taken over in full.

import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../errors';
import { match } from '../game/store';
import { gameOf } from '../games';
import { say } from '../live';
import { closeDialog } from '../ui/dialogs';
import { checkFound, putOnBoard } from './board';
import type { Checked } from './check';
import { incoming } from './incoming';
import { decodeFile, type Reading, readAny, sizeOf } from './read';
import { before, bringBack } from './replace';

type State =
  | { kind: 'empty' }
  | { kind: 'busy' }
  | { kind: 'error'; text: string }
  | { kind: 'ready'; checked: Checked; lost: number };

/** Longer texts are kept, but not put into the field, which would be slow. */
const SHOWN = 200_000;
const QUIET = 250;

export function ImportPart() {
  const [text, setText] = useState(incoming.peek()?.text ?? '');
  const [name, setName] = useState(incoming.peek()?.name ?? '');
  const [reading, setReading] = useState<Reading | null>(null);
  const [chosen, setChosen] = useState(0);
  const [state, setState] = useState<State>({ kind: 'empty' });
  const file = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // A file dropped while the dialog is open.
    const next = incoming.value;
    if (!next) return;
    setText(next.text);
    setName(next.name);
    incoming.value = null;
  }, [incoming.value]);

  useEffect(() => {
    setReading(null);
    setChosen(0);
    if (text.trim() === '') return setState({ kind: 'empty' });
    setState({ kind: 'busy' });
    const timer = setTimeout(() => {
      try {
        setReading(readAny(text, match.peek().setup.variant));
      } catch (error) {
        setState({ kind: 'error', text: sentence(error) });
      }
    }, QUIET);
    return () => clearTimeout(timer);
  }, [text]);

  useEffect(() => {
    const found = reading?.games[chosen];
    if (!found) return;
    let stale = false;
    setState({ kind: 'busy' });
    const run = async (): Promise<State> => {
      return { kind: 'ready', ...(await checkFound(found)) };
    };
    run()
      .catch((error: unknown): State => ({ kind: 'error', text: sentence(error) }))
      .then((next) => {
        if (stale) return;
        setState(next);
        say(next.kind === 'error' ? next.text : next.kind === 'ready' ? summary(next.checked) : '');
      });
    return () => {
      stale = true;
    };
  }, [reading, chosen]);

  const take = () => {
    if (state.kind !== 'ready') return;
    putOnBoard(state.checked);
    closeDialog();
  };
  const long = text.length > SHOWN;
  return (
    <div class="import">
      <p class="about">
        Paste a FEN, a link, PGN, SGF (Amazons) or JSON, open a file, or drag one onto the page. games.jsonl
        and PGN of a match work too.
      </p>
      <textarea
        aria-label="A game or a position as text"
        rows={8}
        spellcheck={false}
        placeholder="1. d1d7,d7g7 a7b7,b7c7 …"
        value={long ? `${text.slice(0, SHOWN)}\n…` : text}
        readOnly={long}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setName('');
        }}
      />
      <div class="row">
        <button type="button" onClick={() => file.current?.click()}>
          Open a file
        </button>
        <input
          ref={file}
          type="file"
          class="visually-hidden"
          aria-label="A file with games"
          tabIndex={-1}
          onChange={(event) => {
            const picked = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            if (picked) {
              void picked.arrayBuffer().then((content) => {
                setText(decodeFile(new Uint8Array(content)));
                setName(picked.name);
              });
            }
          }}
        />
        {text !== '' && (
          <button type="button" onClick={() => setText('')}>
            Clear
          </button>
        )}
        {name && <span class="note">{name}</span>}
      </div>
      {reading && reading.games.length > 1 && (
        <label class="games">
          {reading.games.length} games
          {reading.problems.length > 0 &&
            `, ${reading.problems.length === 1 ? '1 warning' : `${reading.problems.length} warnings`}`}
          <select
            size={Math.min(8, reading.games.length)}
            value={chosen}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {reading.games.map((found, index) => (
              <option key={index} value={index}>
                {index + 1}. {found.title}
              </option>
            ))}
          </select>
        </label>
      )}
      <Outcome state={state} reading={reading} />
      <div class="row">
        <button type="button" class="primary" disabled={state.kind !== 'ready'} onClick={take}>
          {state.kind === 'ready' && state.lost > 0
            ? 'Put what is legal on the board'
            : 'Put it on the board'}
        </button>
        {before.value && (
          <button
            type="button"
            onClick={() => {
              bringBack();
              closeDialog();
            }}
          >
            Bring back the game before
          </button>
        )}
      </div>
    </div>
  );
}

function Outcome({ state, reading }: { state: State; reading: Reading | null }) {
  if (state.kind === 'empty') return null;
  if (state.kind === 'busy') return <p class="note">Reading …</p>;
  if (state.kind === 'error') return <p class="problem">{state.text}</p>;
  const { problems, record } = state.checked;
  return (
    <div>
      <p class="found">
        {reading?.format}: {summary(state.checked)}
      </p>
      {[...(reading?.problems ?? []), ...problems].slice(0, 20).map((problem) => (
        <p key={problem} class="problem">
          {problem}
        </p>
      ))}
      {problems.length > 20 && <p class="problem">And {problems.length - 20} more.</p>}
      {record.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </div>
  );
}

function summary({ record, turns }: Checked): string {
  const { title } = gameOf(record.variant);
  const main = sizeOf(record);
  const others = turns - (Number.parseInt(main, 10) || 0);
  const { White: white, Black: black, Result: result } = record.tags;
  const names = white || black ? `${white || '?'} – ${black || '?'}, ` : '';
  const what = turns === 0 ? 'a position' : `${main}${others > 0 ? ` and ${others} in variations` : ''}`;
  return `${title}, ${names}${what}${result && result !== '*' ? `, ${result}` : ''}.`;
}

function sentence(error: unknown): string {
  const text = messageOf(error);
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
