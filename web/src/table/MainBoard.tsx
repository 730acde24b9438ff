// The board of the game: what the store holds, with the layers of analysis.
import { computed } from '@preact/signals';
import { analysisArrows } from '../analysis/overlay';
import { Board } from '../board/Board';
import { TurnEntry } from '../board/entry';
import { expected } from '../board/half';
import { type BoardArrow, boardArrows, boardLabels, boardMarks } from '../board/layers';
import type { BoardView } from '../fen';
import { bottom, current, enterable, game, revision, tab, takeTurn, view } from '../game/store';
import { reviewArrows } from '../review/arrows';
import { settings } from '../settings';
import { squaresOfTurn } from '../turns';

export const entry = new TurnEntry(enterable, takeTurn);

/** A turn is seen at once: until the engine has answered, as far as it can be drawn without it. */
export const shownView = computed<BoardView>(() => {
  revision.value;
  const waiting: string[] = [];
  for (let node = current.value; node.fen === null && node.parent; node = node.parent)
    waiting.unshift(node.turn);
  return waiting.reduce((at, turn) => expected(at, turn, game.value), view.value);
});

function arrows(): BoardArrow[] {
  if (tab.value === 'analyse') return analysisArrows();
  return tab.value === 'review' ? reviewArrows() : [];
}

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
      arrows={[...boardArrows.value, ...arrows()]}
      coordinates={settings.value.coordinates}
      targets={settings.value.targets}
    />
  );
}
