// The game on the board as text, as a file, as a picture, on paper.

import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../errors';
import { revision } from '../game/store';
import { say } from '../live';
import { phrase } from '../messages';
import { closeDialog } from '../ui/dialogs';
import { copy, ENDING, fileName, gameLink, gameText, OUT_FORMATS, type OutFormat, saveFile } from './board';
import { boardPng, boardSvg } from './picture';

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
    if (await copy(text)) return tell(phrase('export.copied'));
    area.current?.select();
    tell(phrase('export.selected'));
  };
  const picture = async (kind: 'svg' | 'png') => {
    try {
      if (kind === 'svg') saveFile(fileName('svg'), boardSvg(), 'image/svg+xml');
      else saveFile(fileName('png'), await boardPng());
      tell(phrase('export.saved', { file: fileName(kind) }));
    } catch (error) {
      tell(messageOf(error));
    }
  };
  return (
    <div class="export">
      <fieldset class="choices">
        <legend class="visually-hidden">{phrase('export.format')}</legend>
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
        {phrase(`export.about.${format}`)}
        {format === 'SGF' && text.includes('GM[0]') && ` ${phrase('export.noNumber')}`}
        {format === 'Link' && !gameLink().whole && ` ${phrase('export.notWhole')}`}
      </p>
      <textarea
        ref={area}
        readOnly
        aria-label={phrase('export.text', { format })}
        rows={format === 'FEN' || format === 'Link' ? 3 : 10}
        value={text}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="buttons">
        <button type="button" class="primary" disabled={text === ''} onClick={() => void copyText()}>
          {phrase(format === 'Link' ? 'tools.copyLink' : 'export.copy')}
        </button>
        {format !== 'Link' && (
          <button
            type="button"
            disabled={text === ''}
            onClick={() => {
              saveFile(fileName(ENDING[format]), text);
              tell(phrase('export.saved', { file: fileName(ENDING[format]) }));
            }}
          >
            {phrase('export.save')}
          </button>
        )}
        <span class="note" role="status">
          {note}
        </span>
      </div>
      <h3>{phrase('export.paper')}</h3>
      <div class="buttons">
        <button type="button" onClick={() => void picture('svg')}>
          {phrase('export.svg')}
        </button>
        <button type="button" onClick={() => void picture('png')}>
          {phrase('export.png')}
        </button>
        <button
          type="button"
          onClick={() => {
            closeDialog();
            // The dialog must be gone from the page before it is taken.
            setTimeout(() => window.print(), 50);
          }}
        >
          {phrase('export.print')}
        </button>
      </div>
    </div>
  );
}
