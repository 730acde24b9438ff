// Where the page is longer than the window, as on a phone, what has to be seen next may be out of sight.

/** Scrolls no more than is needed to see the board. */
export function showBoard(): void {
  document.querySelector('.board-column')?.scrollIntoView({ block: 'nearest' });
}
