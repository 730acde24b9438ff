// The page in a frame of another site: the board, what to do next, and the way to the whole page.
import { BoardBar } from '../analysis/BoardBar';
import '../analysis/overlay';
import { gameLink } from '../formats/board';
import { LinkDialog } from '../formats/LinkDialog';
import { current, revision } from '../game/store';
import { HostBanner } from '../host/HostBanner';
import { spoken } from '../live';
import { phrase } from '../messages';
import '../play/announce';
import { BoardFoot } from '../table/BoardFoot';
import { MainBoard } from '../table/MainBoard';
import { dialog } from '../ui/dialogs';
import { Mark } from '../ui/Mark';
import './theme';
import './embedded.css';

export function Embedded() {
  revision.value;
  current.value;
  return (
    <>
      <HostBanner />
      <main class="embedded">
        <h1 class="visually-hidden">{phrase('board.label')}</h1>
        <div class="board-column">
          <div class="board-row">
            <BoardBar />
            <MainBoard />
          </div>
          <div class="embedded-foot">
            <BoardFoot />
            <a
              class="embedded-link"
              href={gameLink().address}
              target="_blank"
              rel="noopener"
              title={phrase('shell.whole')}
              aria-label={phrase('shell.whole')}
            >
              <Mark />
            </a>
          </div>
        </div>
      </main>
      {dialog.value === 'link' && <LinkDialog />}
      <div class="visually-hidden" role="status" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
