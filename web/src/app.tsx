// The shell of the page: header with tabs, the board, the panel of the tab, dialogs, the live region.
import { AnalysePanel } from './analysis/AnalysePanel';
import { BoardBar } from './analysis/BoardBar';
import './analysis/overlay';
import { BoardFoot } from './board/BoardFoot';
import { MainBoard } from './board/MainBoard';
import { EditorDialog } from './editor/EditorDialog';
import { Exchange } from './formats/Exchange';
import { FormatsDialog } from './formats/FormatsDialog';
import { settings } from './game/settings';
import { tab } from './game/store';
import { HostBanner } from './host/HostBanner';
import { LearnPage } from './learn/LearnPage';
import { spoken } from './live';
import './play/announce';
import { NewGame } from './play/NewGame';
import { PlayPanel } from './play/PlayPanel';
import { ResignDialog } from './play/ResignDialog';
import { ProblemsPage } from './problems/ProblemsPage';
import { ReviewPanel } from './review/ReviewPanel';
import { TextMode } from './text/TextMode';
import './theme';
import { dialog } from './ui/dialogs';
import { Header } from './ui/Header';
import { KeysDialog } from './ui/KeysDialog';

export function App() {
  return (
    <>
      <Header />
      <HostBanner />
      <main class={tab.value === 'learn' || tab.value === 'problems' ? 'page reading' : 'page playing'}>
        {tab.value === 'learn' ? (
          <LearnPage />
        ) : tab.value === 'problems' ? (
          <ProblemsPage />
        ) : (
          <div class="table">
            <h1 class="visually-hidden">Board</h1>
            <div class="board-column">
              <div class="board-row">
                <BoardBar />
                {settings.value.textMode ? <TextMode /> : <MainBoard />}
              </div>
              {!settings.value.textMode && <BoardFoot />}
            </div>
            <div class="side-column">
              {tab.value === 'play' && <PlayPanel />}
              {tab.value === 'analyse' && <AnalysePanel />}
              {tab.value === 'review' && <ReviewPanel />}
            </div>
          </div>
        )}
      </main>
      {dialog.value === 'new' && <NewGame />}
      {dialog.value === 'resign' && <ResignDialog />}
      {dialog.value === 'keys' && <KeysDialog />}
      {dialog.value === 'editor' && <EditorDialog />}
      {dialog.value === 'formats' && <FormatsDialog />}
      <Exchange />
      <div class="visually-hidden" role="status" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
