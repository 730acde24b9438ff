// A text or a file onto the board: what it is, which game of it, what the engine says of it. Nothing on the board changes
// before the button is pressed, and the text stays until it was taken over in full.

import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../errors';
import { openGames } from '../explorer/own';
import { match } from '../game/store';
import { gameOf } from '../games';
import { say } from '../live';
import { phrase } from '../messages';
import { closeDialog } from '../ui/dialogs';
import { putOnBoard, type Ready, ready, sizeOf, turnsIn } from './board';
import { incoming } from './incoming';
import {
  countOf,
  type Found,
  type Reading,
  read,
  type Source,
  sentence,
  unpacked,
  type Warning,
} from './reading';
import { before, bringBack } from './replace';

/** The result of reading a text or a file, or a game of it; of no use once there is another. */
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
          return { of: source, error: why.join(' ') || phrase('import.nothing') };
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
    openGames(
      typeof source === 'string' ? '' : source.name,
      reading?.games.map(({ record }) => record) ?? [],
    );
    closeDialog();
  };
  const warnings = reading && found ? warningsOf(reading, found.number) : [];
  return (
    <div class="import">
      <p class="about">{phrase('import.about')}</p>
      <textarea
        aria-label={phrase('import.text')}
        rows={8}
        spellcheck={false}
        placeholder="1. d1d7,d7g7 a7b7,b7c7 …"
        value={shown.text}
        readOnly={!shown.whole}
        onInput={(event) => setSource(event.currentTarget.value)}
      />
      <div class="buttons">
        <button type="button" onClick={() => file.current?.click()}>
          {phrase('import.openFile')}
        </button>
        <input
          ref={file}
          type="file"
          class="visually-hidden"
          aria-label={phrase('import.file')}
          tabIndex={-1}
          onChange={(event) => {
            const picked = event.currentTarget.files?.[0];
            if (picked) void unpacked(picked).then(setSource);
            event.currentTarget.value = '';
          }}
        />
        {source !== '' && (
          <button type="button" onClick={() => setSource('')}>
            {phrase('import.clear')}
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
        <div class="buttons">
          <button type="button" disabled={readsOn} onClick={() => void readOn()}>
            {phrase(readsOn ? 'import.reading' : 'import.more')}
          </button>
        </div>
      )}
      {!(empty || error || game) && <p class="note">{phrase('import.reading')}</p>}
      {error && <p class="problem">{error}</p>}
      {reading && game && (
        <>
          <p class="found">{phrase('import.found', { format: reading.format, summary: summary(game) })}</p>
          {warnings.slice(0, MOST_WARNINGS).map(({ text }, index) => (
            <p key={index} class="problem">
              {text}
            </p>
          ))}
          {warnings.length > MOST_WARNINGS && (
            <p class="problem">{phrase('import.andMore', { count: warnings.length - MOST_WARNINGS })}</p>
          )}
          {reading.games.length === 1 && warnings.length > 0 && <p class="note">{countOf(reading)}</p>}
        </>
      )}
      <div class="buttons">
        <button type="button" class="primary" disabled={!game} onClick={take}>
          {phrase(game && warnings.length > 0 ? 'import.putRead' : 'import.put')}
        </button>
        {before.value && (
          <button
            type="button"
            onClick={() => {
              bringBack();
              closeDialog();
            }}
          >
            {phrase('play.bringBack')}
          </button>
        )}
      </div>
    </div>
  );
}

/** The text that the field shows of a source. If it is not `whole`, it cannot be changed there. */
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
  // All nodes but the root; numbers are never used again.
  const turns = tree.nextId - 1;
  const others = turns - turnsIn(tree);
  const { White: white, Black: black, Result: result } = tree.tags ?? {};
  const names = white || black ? `${white || '?'} – ${black || '?'}, ` : '';
  const main = sizeOf(tree);
  const game = others > 0 ? phrase('import.variations', { turns: main, count: others }) : main;
  const what = turns === 0 ? phrase('import.position') : game;
  return `${title}, ${names}${what}${result && result !== '*' ? `, ${result}` : ''}.`;
}
