// The board of the game: what the store holds, with the layers of analysis.
import { computed, effect, signal } from '@preact/signals';
import { turnArrow } from '../analysis/arrows';
import { analysisArrows } from '../analysis/overlay';
import { Board } from '../board/Board';
import { TurnEntry } from '../board/entry';
import { expected } from '../board/half';
import { type BoardArrow, boardArrows, boardLabels, boardMarks, ownArrow } from '../board/layers';
import { isAnimated } from '../board/stage';
import { drawnIn, toggled, wordsIn } from '../game/drawn';
import { step } from '../game/steps';
import {
  bottom,
  current,
  enterable,
  game,
  match,
  positions,
  revision,
  tab,
  takeTurn,
  touch,
  view,
} from '../game/store';
import { ahead, aheadTurns, awaited, clearAhead, enterAhead } from '../play/ahead';
import type { TurnInfo } from '../protocol';
import { reviewArrows } from '../review/arrows';
import { settings } from '../settings';
import type { BoardView } from '../squares';
import { squaresOfTurn } from '../turns';

/** Fingers and the mouse draw on the board, until that is switched off or the view is left. */
export const draws = signal(false);

effect(() => {
  if (tab.value !== 'analyse') draws.value = false;
});

/** At the game's own end what is chosen stays while the game goes on; elsewhere it belongs to a position. */
const place = computed(() =>
  tab.value === 'play' && current.value === match.value.tip ? match.value : current.value,
);

/** A turn in a game stays played, or is taken back in sight of all; elsewhere the board is for trying out. */
const isConfirmed = () => settings.peek().confirm && tab.peek() === 'play' && enterable.peek() !== null;

export const entry = new TurnEntry(
  computed(() => enterable.value ?? aheadTurns.value),
  (turn) => (enterable.peek() ? takeTurn(turn) : enterAhead(turn)),
  { place, isOnItsWay: awaited, isConfirmed },
);

effect(() => {
  isAnimated.value = settings.value.animation;
});

let shown = view.peek();
let shownOf = match.peek();

/**
 * A turn is seen at once: until the engine has answered, as far as it can be drawn without it. Where not even its squares
 * are known, the board stays as it is for that moment.
 */
export const shownView = computed<BoardView>(() => {
  revision.value;
  const waiting: TurnInfo[] = [];
  let node = current.value;
  for (; !node.position && node.parent && node.last; node = node.parent) waiting.unshift(node.last);
  if (node.position || !node.parent || match.value !== shownOf) {
    shown = waiting.reduce((at, turn) => expected(at, turn, game.value), view.value);
    shownOf = match.value;
  }
  return shown;
});

function arrows(): BoardArrow[] {
  if (tab.value === 'play') {
    const waits = entry.unconfirmed.value ?? ahead.value?.turn;
    return waits ? [turnArrow(waits, 'ahead')] : [];
  }
  if (tab.value === 'analyse') return analysisArrows();
  return tab.value === 'review' ? reviewArrows() : [];
}

/** Changes what is drawn on the position on the board. */
function redraw(change: (comment: string) => string): void {
  const node = current.peek();
  const comment = change(node.comment);
  if (comment === node.comment) return;
  node.comment = comment;
  touch();
}

export function MainBoard() {
  revision.value;
  const { last, comment } = current.value;
  const own = drawnIn(comment).map(([from, to]) => ownArrow(from, to ?? from));
  return (
    <Board
      rules={game.value}
      view={shownView.value}
      bottom={bottom.value}
      entry={entry}
      last={last ? squaresOfTurn(last) : undefined}
      marks={boardMarks.value}
      labels={boardLabels.value}
      arrows={[...boardArrows.value, ...arrows(), ...own]}
      coordinates={settings.value.coordinates}
      targets={settings.value.targets}
      ahead={enterable.value === null}
      onIdle={() => {
        clearAhead();
        redraw(wordsIn);
      }}
      draws={draws.value}
      onMark={(from, to) => redraw((comment) => toggled(comment, from === to ? [from] : [from, to]))}
      onStep={positions.value.length > 1 ? (by) => step(by > 0 ? 'next' : 'previous') : undefined}
    />
  );
}
