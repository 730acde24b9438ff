// The game on the board as text, as a file, as a picture, on paper.

import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../errors';
import { revision } from '../game/store';
import { say } from '../live';
import { closeDialog } from '../ui/dialogs';
import { copy, ENDING, fileName, gameLink, gameText, OUT_FORMATS, type OutFormat, saveFile } from './board';
import { boardPng, boardSvg } from './picture';

const ABOUT: Record<OutFormat, string> = {
  Link: 'Opens this game at this turn, on this page. Variations travel along, comments do not.',
  FEN: 'The position on the board, for other programs.',
  PGN: 'The game as text, with comments and variations.',
  SGF: 'For programs that read SGF. There Black moves first, so the names change sides.',
  JSON: 'All of it as a line of games.jsonl, for this page and for scripts.',
};

export function ExportPart() {
  const [format, setFormat] = useState<OutFormat>('Link');
  const [note, setNote] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const [written, setWritten] = useState({ format: '', text: '' });
  /** Empty while the engine writes; then the buttons wait, as browsers let only a click copy. */
  const text = written.format === format ? written.text : '';
  useEffect(() => {
    let stale = false;
    gameText(format)
      .then((found) => !stale && setWritten({ format, text: found }))
      .catch((error: unknown) => !stale && tell(messageOf(error)));
    return () => {
      stale = true;
    };
    // The engine may have played meanwhile.
  }, [format, revision.value]);
  const tell = (words: string) => {
    setNote(words);
    say(words);
  };
  const copyText = async () => {
    if (await copy(text)) return tell('Copied.');
    area.current?.select();
    tell('The text is selected: copy it with Ctrl C.');
  };
  const picture = async (kind: 'svg' | 'png') => {
    try {
      if (kind === 'svg') saveFile(fileName('svg'), boardSvg(), 'image/svg+xml');
      else saveFile(fileName('png'), await boardPng());
      tell(`Saved ${fileName(kind)}.`);
    } catch (error) {
      tell(messageOf(error));
    }
  };
  return (
    <div class="export">
      <fieldset class="choices">
        <legend class="visually-hidden">Format</legend>
        {OUT_FORMATS.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="out-format"
              checked={name === format}
              onChange={() => {
                setFormat(name);
                setNote('');
              }}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <p class="about">
        {ABOUT[format]}
        {format === 'SGF' &&
          text.includes('GM[0]') &&
          ' SGF has no number for this game: it is written as GM[0], with its name in RU.'}
        {format === 'Link' &&
          !gameLink().whole &&
          ' This game has too many variations for a link: only the line on the board is in it.'}
      </p>
      <textarea
        ref={area}
        readOnly
        aria-label={`The game as ${format}`}
        rows={format === 'FEN' || format === 'Link' ? 3 : 10}
        value={text}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="row">
        <button type="button" class="primary" disabled={text === ''} onClick={() => void copyText()}>
          {format === 'Link' ? 'Copy link' : 'Copy'}
        </button>
        {format !== 'Link' && (
          <button
            type="button"
            disabled={text === ''}
            onClick={() => {
              saveFile(fileName(ENDING[format]), text);
              tell(`Saved ${fileName(ENDING[format])}.`);
            }}
          >
            Save as a file
          </button>
        )}
        <span class="note" role="status">
          {note}
        </span>
      </div>
      <h3>Picture and paper</h3>
      <div class="row">
        <button type="button" onClick={() => void picture('svg')}>
          Save SVG
        </button>
        <button type="button" onClick={() => void picture('png')}>
          Save PNG
        </button>
        <button
          type="button"
          onClick={() => {
            closeDialog();
            // The dialog must be gone from the page before it is taken.
            setTimeout(() => window.print(), 50);
          }}
        >
          Print
        </button>
      </div>
    </div>
  );
}
