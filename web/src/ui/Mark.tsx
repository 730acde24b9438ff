// The sign of the page: the amazon's crescent and arrowhead, as on the board. `public/icon.svg` is the same.
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 64 64" aria-hidden="true">
      <rect class="mark-ground" width="64" height="64" rx="14" />
      <path
        class="mark-figure"
        d="M8 27C10 42 20 49 32 49C44 49 54 42 56 27C49 35 41 39 36 39.5V27L43 30L32 9L21 30L28 27V39.5C23 39 15 35 8 27ZM17 54H47V58H17Z"
      />
    </svg>
  );
}
