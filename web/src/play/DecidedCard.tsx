// A game whose result is certain: what it is, and what one may do about it.
import { match, revision } from '../game/store';
import { phrase } from '../messages';
import { type Settings, SPEEDS, set, settings } from '../settings';
import { decidedNow, decidedWords, endDecided, fillIn, filling, reasonWords, stopFilling } from './decided';

export function DecidedCard() {
  revision.value;
  match.value;
  const decided = decidedNow();
  if (filling.value) {
    return (
      <div class="banner decided">
        <p>{phrase('decided.filling')}</p>
        <div class="buttons">
          <button type="button" onClick={stopFilling}>
            {phrase('analysis.stop')}
          </button>
          <SpeedField />
        </div>
      </div>
    );
  }
  if (!decided) return null;
  return (
    <div class="banner decided">
      <p>
        <strong>{phrase('decided.told', { result: decidedWords(decided) })}</strong> {reasonWords(decided)}
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={endDecided}>
          {phrase('decided.end')}
        </button>
        <button type="button" onClick={fillIn}>
          {phrase('decided.fill')}
        </button>
        <SpeedField />
      </div>
    </div>
  );
}

export function SpeedField() {
  return (
    <select
      aria-label={phrase('decided.speed')}
      value={settings.value.fill}
      onChange={({ currentTarget }) => set('fill', currentTarget.value as Settings['fill'])}
    >
      {SPEEDS.map((speed) => (
        <option key={speed} value={speed}>
          {phrase(`decided.speeds.${speed}`)}
        </option>
      ))}
    </select>
  );
}
