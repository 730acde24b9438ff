// Errors, and the message of anything that is thrown.
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The engine refused a query: `message` is its own line. */
export class QueryError extends Error {
  override readonly name = 'QueryError';

  constructor(
    message: string,
    readonly field: string | undefined,
  ) {
    super(message);
  }
}

/** A search that was stopped before it found anything. */
export class NothingFound extends Error {
  override readonly name = 'NothingFound';

  constructor() {
    super('stopped before anything was found');
  }
}
