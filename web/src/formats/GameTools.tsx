// The menu of the game: people's own games, the editor, files and links, the lessons.

import { match, tab } from '../game/store';
import { hasGames } from '../history/games';
import { teach } from '../learn/progress';
import { phrase } from '../messages';
import { type DialogName, dialog } from '../ui/dialogs';
import { Menu } from '../ui/Menu';
import { CopyLink } from './CopyLink';
import { before, bringBack } from './replace';

export function GameTools() {
  const opens = (name: DialogName, words: string) => (
    <button type="button" onClick={() => (dialog.value = name)}>
      {words}
    </button>
  );
  return (
    <Menu label={phrase('tools.title')}>
      {before.value && match.value.tip.parent === null && (
        <button type="button" onClick={bringBack}>
          {phrase('play.bringBack')}
        </button>
      )}
      {hasGames() && opens('games', phrase('games.title'))}
      {opens('editor', phrase('tools.setUp'))}
      {opens('formats', phrase('tools.exchange'))}
      <CopyLink />
      <button
        type="button"
        onClick={() => {
          teach(match.peek().setup.variant);
          tab.value = 'learn';
        }}
      >
        {phrase('tools.learn')}
      </button>
    </Menu>
  );
}
