// The side panel of the tab Analyse.
export function AnalysePanel() {
  return <section class="panel" aria-label="Analysis" />;
}
