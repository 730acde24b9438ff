// Under the board: what to choose next, a way back within the turn, and the board's own tools.

import { prompt } from '../board/Board';
import { type Step, step, stepTo } from '../game/steps';
import { bottom, current, game, legal, match, revision, tab, view } from '../game/store';
import { sideName } from '../names';
import { ahead, clearAhead, refused } from '../play/ahead';
import { decidedWords } from '../play/decided';
import { allotted, moveNow, slow, thinking } from '../play/opponent';
import { other } from '../protocol';
import { entry } from './MainBoard';
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
        <button type="button" class="small" title="Escape does the same" onClick={() => entry.undo()}>
          {path.length > 1 ? 'Undo this step' : 'Let go'}
        </button>
      )}
      {thinks && slow.value && (
        <button type="button" class="small" onClick={moveNow}>
          Move now
        </button>
      )}
      {ahead.value && (
        <button type="button" class="small" title="Escape does the same" onClick={clearAhead}>
          Clear
        </button>
      )}
      <Steps />
      <button
        type="button"
        class="icon"
        aria-label="Turn the board round"
        title="Turn the board round"
        onClick={() => {
          bottom.value = other(bottom.peek());
        }}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7 20V4M7 4L3 8M7 4l4 4M17 4v16M17 20l4-4M17 20l-4-4" />
        </svg>
      </button>
    </div>
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

const STEPS: readonly [Step, string, string][] = [
  ['first', 'Start of the game', 'M6 5v14M18 5l-9 7l9 7z'],
  ['previous', 'Previous turn', 'M16 5l-9 7l9 7z'],
  ['next', 'Next turn', 'M8 5l9 7l-9 7z'],
  ['last', 'End of the game', 'M18 5v14M6 5l9 7l-9 7z'],
];

function Steps() {
  return (
    <div class="board-steps" role="group" aria-label="Step through the game">
      {STEPS.map(([id, title, drawing]) => (
        <button
          key={id}
          type="button"
          class="icon"
          aria-label={title}
          title={title}
          // Not `disabled`: at the end of the game the focus stays.
          aria-disabled={stepTo(id) === null}
          onClick={() => step(id)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={drawing} />
          </svg>
        </button>
      ))}
    </div>
  );
}

function state(): string {
  revision.value;
  const now = match.value;
  const atTip = current.value === now.tip;
  const outcome = (atTip && now.ending?.winner) || current.value.outcome;
  if (outcome === 'draw') return 'The game is a draw.';
  if (outcome) return `${sideName[outcome]} has won.`;
  if (legal.value === null) return 'One moment …';
  const side = thinking.value;
  if (ahead.value) return `Entered ahead: ${ahead.value.turn.text}.`;
  if (side && atTip) return `${sideName[side]}: the engine is thinking …`;
  const decided = tab.value === 'play' && atTip ? now.tip.decided : null;
  const toMove = `${sideName[view.value.side]} to move.`;
  if (refused.value === current.value) return `${toMove} The turn entered ahead is not legal now.`;
  return decided ? `${toMove} Decided: ${decidedWords(decided)}.` : toMove;
}
