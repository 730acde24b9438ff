// The board of the game: what the store holds, with the layers of analysis.
import { computed } from '@preact/signals';
import { overlayArrows } from '../analysis/overlay';
import type { BoardView } from '../fen';
import { settings } from '../game/settings';
import { bottom, current, game, legal, match, playTurn, revision, tab, turnTaker, view } from '../game/store';
import { clocks, punch } from '../play/clock';
import { result } from '../play/state';
import { squaresOfTurn, type TurnIndex } from '../turns';
import { Board } from './Board';
import { TurnEntry } from './entry';
import { expected } from './half';
import { boardArrows, boardLabels, boardMarks } from './layers';

/** The turns that a person may enter now: in Play only where the game stands, and not for the engine. */
const enterable = computed<TurnIndex | null>(() => {
  revision.value;
  if (tab.value !== 'play') return legal.value;
  const { tip, setup } = match.value;
  if (current.value !== tip || result.value || !tip.toMove) return null;
  return setup.players[tip.toMove].kind === 'human' ? legal.value : null;
});

/** A turn was entered: the game goes on, or whoever asked for the turn takes it. */
export function enterTurn(turn: string): void {
  const taker = turnTaker.peek();
  if (taker) {
    taker(turn);
    return;
  }
  const mover = current.peek().toMove;
  const atTip = current.peek() === match.peek().tip && tab.peek() === 'play';
  clocks.peek();
  const node = playTurn(turn);
  if (mover && atTip) punch(mover, node);
}

export const entry = new TurnEntry(enterable, enterTurn);

/** A turn is seen at once: until the engine has answered, as far as it can be drawn without it. */
export const shownView = computed<BoardView>(() => {
  revision.value;
  const waiting: string[] = [];
  for (let node = current.value; node.fen === null && node.parent; node = node.parent)
    waiting.unshift(node.turn);
  return waiting.reduce((at, turn) => expected(at, turn, game.value.family), view.value);
});

export function MainBoard() {
  const { turn } = current.value;
  return (
    <Board
      family={game.value.family}
      view={shownView.value}
      bottom={bottom.value}
      entry={entry}
      last={turn ? squaresOfTurn(turn) : undefined}
      marks={boardMarks.value}
      labels={boardLabels.value}
      arrows={[...boardArrows.value, ...overlayArrows.value]}
      coordinates={settings.value.coordinates}
      targets={settings.value.targets}
    />
  );
}
