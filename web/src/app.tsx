// The shell of the page: header with tabs, the board, the panel of the tab, dialogs, the live region.
import { useEffect } from 'preact/hooks';
import { AnalysePanel } from './analysis/AnalysePanel';
import { BoardBar } from './analysis/BoardBar';
import './analysis/overlay';
import { frameOf } from './board/geometry';
import { Exchange } from './formats/Exchange';
import { tab, view } from './game/store';
import { GamesDialog } from './history/GamesDialog';
import { HostBanner } from './host/HostBanner';
import { spoken } from './live';
import { phrase } from './messages';
import { settings } from './settings';
import { BoardFoot } from './table/BoardFoot';
import { MainBoard } from './table/MainBoard';
import './play/announce';
import { NewGame } from './play/NewGame';
import { PlayPanel } from './play/PlayPanel';
import { ResignDialog } from './play/ResignDialog';
import { FillGraph } from './review/FillGraph';
import { ReviewPanel } from './review/ReviewPanel';
import { TextMode } from './text/TextMode';
import './shell/theme';
import { Header } from './shell/Header';
import { KeysDialog } from './shell/KeysDialog';
import { SettingsDialog } from './shell/SettingsDialog';
import { dialog } from './ui/dialogs';
import { later } from './ui/later';

const EditorDialog = later(async () => (await import('./editor/EditorDialog')).EditorDialog);
const FormatsDialog = later(async () => (await import('./formats/FormatsDialog')).FormatsDialog);
const LearnPage = later(async () => (await import('./learn/LearnPage')).LearnPage);
const ProblemsPage = later(async () => (await import('./problems/ProblemsPage')).ProblemsPage);

export function App() {
  const frame = frameOf(view.value, settings.value.coordinates);
  // Another part begins at its beginning, on a phone the page and at a desk its column.
  useEffect(() => scrollTo(0, 0), [tab.value]);
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
          <div class="table" style={{ '--ratio': frame.width / frame.height }}>
            <h1 class="visually-hidden">{phrase('board.label')}</h1>
            <div class="board-column">
              <div class="board-row">
                <BoardBar />
                {settings.value.textMode ? <TextMode /> : <MainBoard />}
              </div>
              {!settings.value.textMode && <BoardFoot />}
            </div>
            <div class="side-column" key={tab.value}>
              {tab.value === 'play' && <PlayPanel />}
              {tab.value === 'analyse' && (
                <AnalysePanel>
                  <FillGraph />
                </AnalysePanel>
              )}
              {tab.value === 'review' && <ReviewPanel />}
            </div>
          </div>
        )}
      </main>
      {dialog.value === 'new' && <NewGame />}
      {dialog.value === 'resign' && <ResignDialog />}
      {dialog.value === 'keys' && <KeysDialog />}
      {dialog.value === 'settings' && <SettingsDialog />}
      {dialog.value === 'editor' && <EditorDialog />}
      {dialog.value === 'formats' && <FormatsDialog />}
      {dialog.value === 'games' && <GamesDialog />}
      <Exchange />
      <div class="visually-hidden" role="status" aria-live="polite">
        {spoken.value}
      </div>
    </>
  );
}
