// The board of the game: what the store holds, with the layers of analysis.
import { computed } from '@preact/signals';
import { overlayArrows } from '../analysis/overlay';
import type { BoardView } from '../fen';
import { settings } from '../game/settings';
import { bottom, current, enterable, game, revision, takeTurn, view } from '../game/store';
import { squaresOfTurn } from '../turns';
import { Board } from './Board';
import { TurnEntry } from './entry';
import { expected } from './half';
import { boardArrows, boardLabels, boardMarks } from './layers';

export const entry = new TurnEntry(enterable, takeTurn);

/** A turn is seen at once: until the engine has answered, as far as it can be drawn without it. */
export const shownView = computed<BoardView>(() => {
  revision.value;
  const waiting: string[] = [];
  for (let node = current.value; node.fen === null && node.parent; node = node.parent)
    waiting.unshift(node.turn);
  return waiting.reduce((at, turn) => expected(at, turn, game.value), view.value);
});

export function MainBoard() {
  const { turn } = current.value;
  return (
    <Board
      rules={game.value}
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
