// A text or a file onto the board: what it is, which game of it, what the engine says of it. Nothing on the board changes
// before the button is pressed, and the text stays until it was taken over in full.

import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../errors';
import { match } from '../game/store';
import { gameOf } from '../games';
import { say } from '../live';
import { closeDialog } from '../ui/dialogs';
import { putOnBoard, type Ready, ready, sizeOf } from './board';
import { incoming } from './incoming';
import { countOf, type Found, type Reading, read, type Source, sentence, type Warning } from './reading';
import { before, bringBack } from './replace';

/** What came of a text or a file, or of a game of it; of no use once there is another. */
interface Outcome<Of, Value> {
  of: Of;
  value?: Value;
  error?: string;
}

/** Of longer texts the field shows the beginning: all of it would be slow. */
const SHOWN = 200_000;
const QUIET = 250;
const MOST_WARNINGS = 20;

export function ImportPart() {
  const [source, setSource] = useState<Source>(incoming.peek() ?? '');
  const [outcome, setOutcome] = useState<Outcome<Source, Reading> | null>(null);
  const [chosen, setChosen] = useState(0);
  const [checked, setChecked] = useState<Outcome<Found, Ready> | null>(null);
  const [readsOn, setReadsOn] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const shown = useShown(source);

  useEffect(() => {
    // A file dropped while the dialog is open.
    const next = incoming.value;
    if (next === null) return;
    setSource(next);
    incoming.value = null;
  }, [incoming.value]);

  const reading = outcome?.of === source ? outcome.value : undefined;
  const found = reading?.games[chosen];
  const game = checked?.of === found ? checked?.value : undefined;
  const error =
    (outcome?.of === source && outcome.error) || (found && checked?.of === found && checked.error) || '';
  const empty = typeof source === 'string' && source.trim() === '';

  useEffect(() => {
    setChosen(0);
    if (empty) return;
    let stale = false;
    const timer = setTimeout(() => {
      read(source, match.peek().setup.variant)
        .then((value): Outcome<Source, Reading> => {
          if (value.games.length > 0) return { of: source, value };
          const why = value.warnings.slice(0, MOST_WARNINGS).map(({ text }) => text);
          return { of: source, error: why.join(' ') || 'There is no game in this text.' };
        })
        .catch((thrown: unknown) => ({ of: source, error: sentence(messageOf(thrown)) }))
        .then((next) => !stale && setOutcome(next));
    }, QUIET);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [source]);

  useEffect(() => {
    if (!found) return;
    let stale = false;
    ready(found)
      .then((value) => ({ of: found, value }))
      .catch((thrown: unknown) => ({ of: found, error: sentence(messageOf(thrown)) }))
      .then((next) => !stale && setChecked(next));
    return () => {
      stale = true;
    };
  }, [found]);

  useEffect(() => say(error || (game ? summary(game) : '')), [error, game]);

  const readOn = async () => {
    if (!reading?.more) return;
    setReadsOn(true);
    const next = await reading.more().then(
      (value) => ({ of: source, value }),
      (thrown: unknown) => ({ of: source, error: sentence(messageOf(thrown)) }),
    );
    // Another text may have come meanwhile.
    setOutcome((now) => (now?.value === reading ? next : now));
    setReadsOn(false);
  };
  const take = () => {
    if (!game) return;
    putOnBoard(game);
    closeDialog();
  };
  const warnings = reading && found ? warningsOf(reading, found.number) : [];
  return (
    <div class="import">
      <p class="about">
        Paste a FEN, a link, PGN, SGF or JSON, open a file, or drag one onto the page. games.jsonl and PGN of
        a match work too.
      </p>
      <textarea
        aria-label="A game or a position as text"
        rows={8}
        spellcheck={false}
        placeholder="1. d1d7,d7g7 a7b7,b7c7 …"
        value={shown.text}
        readOnly={!shown.whole}
        onInput={(event) => setSource(event.currentTarget.value)}
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
            if (picked) setSource(picked);
            event.currentTarget.value = '';
          }}
        />
        {source !== '' && (
          <button type="button" onClick={() => setSource('')}>
            Clear
          </button>
        )}
        {typeof source !== 'string' && <span class="note">{source.name}</span>}
      </div>
      {reading && reading.games.length > 1 && (
        <label class="games">
          {countOf(reading)}
          <select
            size={Math.min(8, reading.games.length)}
            value={chosen}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {reading.games.map(({ number, title }, index) => (
              <option key={number} value={index}>
                {number + 1}. {isMarked(reading, number) && '⚠ '}
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {reading?.more && (
        <div class="row">
          <button type="button" disabled={readsOn} onClick={() => void readOn()}>
            {readsOn ? 'Reading …' : 'More games'}
          </button>
        </div>
      )}
      {!(empty || error || game) && <p class="note">Reading …</p>}
      {error && <p class="problem">{error}</p>}
      {reading && game && (
        <>
          <p class="found">
            {reading.format}: {summary(game)}
          </p>
          {warnings.slice(0, MOST_WARNINGS).map(({ text }, index) => (
            <p key={index} class="problem">
              {text}
            </p>
          ))}
          {warnings.length > MOST_WARNINGS && (
            <p class="problem">And {warnings.length - MOST_WARNINGS} more.</p>
          )}
          {reading.games.length === 1 && warnings.length > 0 && <p class="note">{countOf(reading)}</p>}
        </>
      )}
      <div class="row">
        <button type="button" class="primary" disabled={!game} onClick={take}>
          {game && warnings.length > 0 ? 'Put what was read on the board' : 'Put it on the board'}
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

/** What the field shows of a file or a text. What is not `whole` cannot be changed there. */
function useShown(source: Source): { text: string; whole: boolean } {
  const [shown, setShown] = useState({ text: '', whole: false });
  useEffect(() => {
    if (typeof source === 'string') return;
    let stale = false;
    setShown({ text: '', whole: false });
    void source
      .slice(0, SHOWN)
      .arrayBuffer()
      .then((bytes) => !stale && setShown(decoded(bytes, source.size)));
    return () => {
      stale = true;
    };
  }, [source]);
  if (typeof source !== 'string') return shown;
  const whole = source.length <= SHOWN;
  return { text: whole ? source : `${source.slice(0, SHOWN)}\n…`, whole };
}

/** To be looked at: which encoding a file is in, the engine finds out. */
function decoded(bytes: ArrayBuffer, size: number): { text: string; whole: boolean } {
  const whole = bytes.byteLength === size;
  try {
    return { text: new TextDecoder('utf-8', { fatal: whole }).decode(bytes) + (whole ? '' : '\n…'), whole };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), whole: false };
  }
}

/** Those of a game, and those of none that is in the list. */
function warningsOf({ games, warnings }: Reading, chosen: number): Warning[] {
  const listed = new Set(games.map(({ number }) => number));
  return warnings.filter(({ game }) => game === chosen || game === undefined || !listed.has(game));
}

/** So that one sees which games to look at. */
function isMarked({ warnings }: Reading, number: number): boolean {
  return warnings.some(({ game }) => game === number);
}

function summary({ tree }: Ready): string {
  const { title } = gameOf(tree.variant);
  const main = sizeOf(tree);
  // All nodes but the root; numbers are never used again.
  const turns = tree.nextId - 1;
  const others = turns - (Number.parseInt(main, 10) || 0);
  const { White: white, Black: black, Result: result } = tree.tags ?? {};
  const names = white || black ? `${white || '?'} – ${black || '?'}, ` : '';
  const what = turns === 0 ? 'a position' : `${main}${others > 0 ? ` and ${others} in variations` : ''}`;
  return `${title}, ${names}${what}${result && result !== '*' ? `, ${result}` : ''}.`;
}
