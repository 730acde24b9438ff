// What went wrong, in words: whatever is thrown.
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
