// Under the board: what to choose next, a way back within the turn, and the board's own tools.

import { prompt } from '../board/Board';
import { type Step, step, stepTo } from '../game/steps';
import { current, game, legal, match, revision, tab, view } from '../game/store';
import { phrase } from '../messages';
import { sideName } from '../names';
import { flip } from '../play/actions';
import { ahead, clearAhead, refused } from '../play/ahead';
import { decidedWords } from '../play/decided';
import { allotted, moveNow, slow, thinking } from '../play/opponent';
import { shortForm } from '../turns';
import { IconButton } from '../ui/IconButton';
import { draws, entry } from './MainBoard';
import './foot.css';

export function BoardFoot() {
  const path = entry.path.value;
  entry.choices.value;
  const thinks = thinking.value !== null && current.value === match.value.tip;
  return (
    <div class="board-foot">
      <Thinking />
      <p class="board-prompt">{path.length > 0 ? prompt(entry, game.value) : state()}</p>
      {path.length > 0 && (
        <button type="button" class="small" title={phrase('foot.escape')} onClick={() => entry.undo()}>
          {phrase(path.length > 1 ? 'foot.undoStep' : 'foot.letGo')}
        </button>
      )}
      {entry.unconfirmed.value && (
        <button type="button" class="small primary" onClick={() => entry.confirm()}>
          {phrase('foot.confirm')}
        </button>
      )}
      {thinks && slow.value && (
        <button type="button" class="small" onClick={moveNow}>
          {phrase('foot.moveNow')}
        </button>
      )}
      {ahead.value && (
        <button type="button" class="small" title={phrase('foot.escape')} onClick={clearAhead}>
          {phrase('foot.clear')}
        </button>
      )}
      <Steps />
      {tab.value === 'analyse' && <Pencil />}
      <IconButton
        label={phrase('foot.turnRound')}
        drawing="M7 20V4M7 4L3 8M7 4l4 4M17 4v16M17 20l4-4M17 20l-4-4"
        onClick={flip}
      />
    </div>
  );
}

/** For whoever has no right button. */
function Pencil() {
  return (
    <IconButton
      label={phrase('foot.pencil')}
      drawing="M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4"
      aria-pressed={draws.value}
      onClick={() => {
        entry.clear();
        draws.value = !draws.peek();
      }}
    />
  );
}

/** How far the engine is with its turn: by time where that is known, and else only that it is at it. */
function Thinking() {
  if (thinking.value === null || !slow.value) return null;
  const time = allotted.value;
  return (
    <span
      class={time === null ? 'think-bar' : 'think-bar timed'}
      style={time === null ? undefined : { '--time': `${time}ms` }}
      aria-hidden="true"
    />
  );
}

const STEPS: readonly [Step, string][] = [
  ['first', 'M6 5v14M18 5l-9 7l9 7z'],
  ['previous', 'M16 5l-9 7l9 7z'],
  ['next', 'M8 5l9 7l-9 7z'],
  ['last', 'M18 5v14M6 5l9 7l-9 7z'],
];

function Steps() {
  return (
    <div class="board-steps" role="group" aria-label={phrase('foot.steps')}>
      {STEPS.map(([id, drawing]) => (
        <IconButton
          key={id}
          label={phrase(`keys.${id}`)}
          drawing={drawing}
          // Not `disabled`: at the end of the game the focus stays.
          aria-disabled={stepTo(id) === null}
          onClick={() => step(id)}
        />
      ))}
    </div>
  );
}

function state(): string {
  revision.value;
  if (draws.value) return phrase('foot.draws');
  const now = match.value;
  const atTip = current.value === now.tip;
  const outcome = (atTip && now.ending?.winner) || current.value.outcome;
  if (outcome === 'draw') return phrase('foot.draw');
  if (outcome) return phrase('foot.won', { side: sideName[outcome] });
  if (legal.value === null) return phrase('foot.moment');
  const side = thinking.value;
  if (ahead.value) return phrase('foot.ahead', { turn: shortForm(ahead.value.turn.text) });
  if (side && atTip) return phrase('foot.thinking', { side: sideName[side] });
  const decided = tab.value === 'play' && atTip ? now.tip.decided : null;
  const toMove = phrase('foot.toMove', { side: sideName[view.value.side] });
  if (refused.value === current.value) return phrase('foot.refused', { toMove });
  return decided ? phrase('foot.decided', { toMove, result: decidedWords(decided) }) : toMove;
}
