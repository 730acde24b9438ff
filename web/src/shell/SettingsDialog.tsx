// All that people set for themselves.
import { useEffect, useState } from 'preact/hooks';
import { phrase } from '../messages';
import { LANGUAGES, type Language } from '../messages/languages';
import { percent } from '../messages/numbers';
import { SpeedField } from '../play/DecidedCard';
import { playSound } from '../play/sound';
import { BOARDS, type Settings, set, settings, THEMES } from '../settings';
import { Choices } from '../ui/Choices';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import './settings.css';

export function SettingsDialog() {
  return (
    <Dialog title={phrase('settings.title')}>
      <div class="settings">
        <section>
          <h3>{phrase('settings.page')}</h3>
          <LanguageField />
          <Choices
            legend={phrase('settings.theme')}
            name="theme"
            value={settings.value.theme}
            options={THEMES.map((theme) => [theme, phrase(`settings.themes.${theme}`)])}
            choose={(theme) => set('theme', theme)}
          />
          <Switch of="textMode" />
          <Switch of="letterKeys" />
          <Switch of="sound" />
          <Volume />
          <FullScreen />
        </section>
        <section>
          <h3>{phrase('settings.board')}</h3>
          <Choices
            legend={phrase('settings.colours')}
            name="board"
            value={settings.value.board}
            options={BOARDS.map((board) => [board, <BoardName key={board} board={board} />])}
            choose={(board) => set('board', board)}
          />
          <Switch of="coordinates" />
          <Switch of="targets" />
          <Switch of="animation" />
        </section>
        <section>
          <h3>{phrase('settings.playing')}</h3>
          <Switch of="confirm" />
          <div class="field">
            {/* The list has the same words as its name. */}
            <span aria-hidden="true">{phrase('decided.speed')}</span>
            <SpeedField />
          </div>
        </section>
      </div>
    </Dialog>
  );
}

function LanguageField() {
  return (
    <label class="field">
      <span>{phrase('settings.language')}</span>
      <select
        name="language"
        value={settings.value.language}
        onChange={({ currentTarget }) => set('language', currentTarget.value as Settings['language'])}
      >
        <option value="browser">{phrase('settings.byBrowser')}</option>
        {Object.entries(LANGUAGES).map(([id, { name }]) => (
          <option key={id} value={id} lang={id as Language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

type Switched = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

function Switch({ of: key }: { of: Switched }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={key}
        checked={settings.value[key]}
        onChange={({ currentTarget }) => set(key, currentTarget.checked)}
      />
      <span>{phrase(`settings.${key}`)}</span>
    </label>
  );
}

/** A name with the two colours that it stands for. */
function BoardName({ board }: { board: Settings['board'] }) {
  return (
    <>
      <span class="board-sample" data-board={board} aria-hidden="true" />
      {phrase(`settings.boards.${board}`)}
    </>
  );
}

function Volume() {
  const { sound, volume } = settings.value;
  return (
    <label class="field volume">
      <span>{phrase('settings.volume')}</span>
      <input
        type="range"
        name="volume"
        min={0}
        max={1}
        step={0.1}
        value={volume}
        disabled={!sound}
        aria-valuetext={percent(volume)}
        onInput={({ currentTarget }) => set('volume', currentTarget.valueAsNumber)}
        // One hears what one has set.
        onChange={() => playSound('move')}
      />
    </label>
  );
}

/** Phones of some makers know no such thing. */
function FullScreen() {
  const [isFull, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const change = () => {
    // An element that fills the screen would lie over the dialog.
    closeDialog();
    const changed = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    changed.catch((error: unknown) => console.warn('the screen stays as it is', error));
  };
  return (
    <button type="button" onClick={change}>
      {phrase(isFull ? 'settings.leaveFullScreen' : 'settings.fullScreen')}
    </button>
  );
}
