// Where the page is longer than the window, as on a phone, what has to be seen next may be out of sight; and the way to
// the board by keyboard.

/** Scrolls no more than is needed to see the board. */
export function showBoard(): void {
  document.querySelector('.board-column')?.scrollIntoView({ block: 'nearest' });
}

export function focusBoard(): void {
  const place = document.querySelector<HTMLElement>('.board-column [role="grid"] [tabindex="0"], #command');
  // A square that was pressed has the focus, but not by keyboard.
  place?.blur();
  place?.focus();
}
