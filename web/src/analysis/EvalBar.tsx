// The evaluation beside the board: White's share, draws, Black's share. White's part lies at White's side of the board.

import { barInsets } from '../board/geometry';
import { type Standing, shares, shortPercent, verdict } from '../game/standing';
import { bottom, game, view } from '../game/store';
import { phrase } from '../messages';
import { settings } from '../settings';

export function EvalBar({ standing }: { standing: Standing | null }) {
  const { draws } = game.value;
  const [win, draw, loss] = standing ? fractions(standing) : [0.5, 0, 0.5];
  const flipped = bottom.value === 'black';
  // In per cent of the length, from White's end.
  const [white, drawn, black] = [win * 100, draw * 100, loss * 100];
  const words = standing ? `${verdict(standing)}. ${shares(standing, draws)}` : phrase('analysis.notYet');
  // How large the part is of the side that leads, in that part: there is room for it.
  const blackLeads = loss > win;
  const label = standing ? shortPercent(Math.max(win, loss), standing.proven !== null) : '–';
  const { beside, above } = barInsets(view.value, settings.value.coordinates);
  return (
    <div class="eval-room" style={{ '--beside': beside, '--above': above }}>
      <div
        class={`eval-bar ${flipped ? 'flipped' : ''} ${standing ? '' : 'unknown'}`}
        role="img"
        aria-label={phrase('analysis.evaluation', { words })}
        title={words}
      >
        <div class="eval-part black" style={{ flexGrow: black }} />
        {drawn > 0 && <div class="eval-part draw" style={{ flexGrow: drawn }} />}
        <div class="eval-part white" style={{ flexGrow: white }} />
        <span class="eval-middle" />
        <span class={`eval-number ${blackLeads ? 'at-black' : 'at-white'}`} aria-hidden="true">
          {label}
        </span>
      </div>
    </div>
  );
}

function fractions({ wdl, proven }: Standing): [number, number, number] {
  if (proven) {
    if (proven.outcome === 'draw') return [0, 1, 0];
    return proven.outcome === 'white' ? [1, 0, 0] : [0, 0, 1];
  }
  return [wdl[0] / 1000, wdl[1] / 1000, wdl[2] / 1000];
}
