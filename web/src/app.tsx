// The shell of the page: header with tabs, the board, the panel of the tab, dialogs, the live region.
import { AnalysePanel } from './analysis/AnalysePanel';
import { BoardBar } from './analysis/BoardBar';
import { MainBoard } from './board/MainBoard';
import { EditorDialog } from './editor/EditorDialog';
import { Exchange } from './formats/Exchange';
import { FormatsDialog } from './formats/FormatsDialog';
import { type Tab, tab } from './game/store';
import { LearnPage } from './learn/LearnPage';
import { spoken } from './live';
import { PlayPanel } from './play/PlayPanel';
import { ReviewPanel } from './review/ReviewPanel';
import { dialog } from './ui/dialogs';

const TABS: [Tab, string][] = [
  ['play', 'Play'],
  ['analyse', 'Analyse'],
  ['review', 'Review'],
  ['learn', 'Learn'],
];

export function App() {
  return (
    <>
      <header class="top">
        <span class="brand">Hippolyta</span>
        <nav aria-label="Parts of the page">
          {TABS.map(([id, title]) => (
            <button
              key={id}
              type="button"
              aria-current={tab.value === id ? 'page' : undefined}
              onClick={() => (tab.value = id)}
            >
              {title}
            </button>
          ))}
        </nav>
      </header>
      <main class="page">
        {tab.value === 'learn' ? (
          <LearnPage />
        ) : (
          <div class="table">
            <div class="board-column">
              <div class="board-row">
                <BoardBar />
                <MainBoard />
              </div>
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
