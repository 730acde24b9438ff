// A game whose result is certain: what it is, and what one may do about it.
import { match, revision } from '../game/store';
import { set, settings } from '../settings';
import {
  decidedNow,
  decidedWords,
  endDecided,
  fillIn,
  filling,
  reasonWords,
  type Speed,
  speeds,
  stopFilling,
} from './decided';

export function DecidedCard() {
  revision.value;
  match.value;
  const decided = decidedNow();
  if (filling.value) {
    return (
      <div class="banner decided">
        <p>The rest is filled in.</p>
        <div class="buttons">
          <button type="button" onClick={stopFilling}>
            Stop
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
        <strong>Decided: {decidedWords(decided)}.</strong> {reasonWords(decided)}
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={endDecided}>
          End the game
        </button>
        <button type="button" onClick={fillIn}>
          Fill in
        </button>
        <SpeedField />
      </div>
    </div>
  );
}

function SpeedField() {
  return (
    <select
      aria-label="How fast the rest is filled in"
      value={settings.value.fill}
      onChange={({ currentTarget }) => set('fill', currentTarget.value as Speed)}
    >
      {speeds.map((speed) => (
        <option key={speed} value={speed}>
          {speed}
        </option>
      ))}
    </select>
  );
}
