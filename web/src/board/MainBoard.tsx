// The board of the game: what the store holds, with the layers of analysis.
import { settings } from '../game/settings';
import { bottom, current, game, legal, playTurn, view } from '../game/store';
import { squaresOfTurn } from '../turns';
import { Board } from './Board';
import { TurnEntry } from './entry';
import { boardArrows, boardMarks } from './layers';

export const entry = new TurnEntry(legal, playTurn);

export function MainBoard() {
  const { turn } = current.value;
  return (
    <Board
      family={game.value.family}
      view={view.value}
      bottom={bottom.value}
      entry={entry}
      last={turn ? squaresOfTurn(turn) : undefined}
      marks={boardMarks.value}
      arrows={boardArrows.value}
      coordinates={settings.value.coordinates}
    />
  );
}
