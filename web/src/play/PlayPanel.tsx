// The side panel of the tab Play.
import { GameTools } from '../formats/GameTools';
import { MoveList } from '../game/MoveList';
import { current, game, match, problem, revision, tab } from '../game/store';
import { toEnd } from './actions';
import { Controls } from './Controls';
import { result } from './state';

export function PlayPanel() {
  revision.value;
  const end = result.value;
  const away = current.value !== match.value.tip;
  return (
    <section class="panel" aria-label="Game">
      <div>
        <h2>{game.value.title}</h2>
        <p class="soft small">{game.value.rules}</p>
      </div>
      {end && (
        <div class="result" data-result={end.winner}>
          <strong>{end.title}</strong>
          {end.reason}
          <div class="buttons">
            <button type="button" class="plain" onClick={() => (tab.value = 'review')}>
              Review this game
            </button>
          </div>
        </div>
      )}
      {problem.value && <p role="alert">{problem.value}</p>}
      {away && !end && (
        <div class="banner">
          <span>You are looking at an earlier position.</span>
          <button type="button" onClick={toEnd}>
            Back to the game
          </button>
        </div>
      )}
      <Controls />
      <MoveList />
      <GameTools />
    </section>
  );
}
