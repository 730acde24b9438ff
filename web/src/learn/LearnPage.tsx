// The tab Learn: a page of its own, with small boards.
export function LearnPage() {
  return <article class="learn" aria-label="Learn" />;
}
