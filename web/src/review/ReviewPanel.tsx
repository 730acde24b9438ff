// The side panel of the tab Review.
export function ReviewPanel() {
  return <section class="panel" aria-label="Review" />;
}
