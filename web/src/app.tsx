// The shell of the page: header with tabs, the board, the panel of the tab, dialogs, the live region.
import { AnalysePanel } from './analysis/AnalysePanel';
import { BoardBar } from './analysis/BoardBar';
import './analysis/overlay';
import { BoardFoot } from './board/BoardFoot';
import { MainBoard } from './board/MainBoard';
import { EditorDialog } from './editor/EditorDialog';
import { Exchange } from './formats/Exchange';
import { FormatsDialog } from './formats/FormatsDialog';
import { tab } from './game/store';
import { LearnPage } from './learn/LearnPage';
import { spoken } from './live';
import { PlayPanel } from './play/PlayPanel';
import { ReviewPanel } from './review/ReviewPanel';
import './theme';
import { dialog } from './ui/dialogs';
import { Header } from './ui/Header';

export function App() {
  return (
    <>
      <Header />
      <main class={tab.value === 'learn' ? 'page reading' : 'page playing'}>
        {tab.value === 'learn' ? (
          <LearnPage />
        ) : (
          <div class="table">
            <div class="board-column">
              <div class="board-row">
                <BoardBar />
                <MainBoard />
              </div>
              <BoardFoot />
            </div>
            <div class="side-column">
              {tab.value === 'play' && <PlayPanel />}
              {tab.value === 'analyse' && <AnalysePanel />}
              {tab.value === 'review' && <ReviewPanel />}
            </div>
          </div>
        )}
      </main>
      {dialog.value === 'editor' && <EditorDialog />}
      {dialog.value === 'formats' && <FormatsDialog />}
      <Exchange />
      <div class="visually-hidden" role="status" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
