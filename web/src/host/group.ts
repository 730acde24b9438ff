// Searches that belong together: what ends one ends them all, and what was asked before the end no longer counts.
import type { AnalyseQuery, Analysis } from '../protocol';
import type { Search, Session } from './session';

export class SearchGroup {
  /** Rises with every end. */
  private round = 0;
  private readonly running = new Set<Search>();

  constructor(private readonly session: Session) {}

  /** Ends what runs. */
  stop(): void {
    this.round += 1;
    for (const search of this.running) search.stop();
    this.running.clear();
  }

  /** A question for later: was nothing ended since now? */
  watch(): () => boolean {
    const { round } = this;
    return () => round === this.round;
  }

  /** As `session.analyse`, as part of the group. */
  async ask(query: AnalyseQuery, onInterim?: (answer: Analysis) => void): Promise<Analysis> {
    const search = this.session.analyse(query, onInterim);
    this.running.add(search);
    try {
      return await search.done;
    } finally {
      this.running.delete(search);
    }
  }
}
