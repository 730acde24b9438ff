// What a lesson and a problem under way have in common: turns from a position, and what the engine says after them.
import { signal } from '@preact/signals';
import type { VariantId } from '../games';
import { session } from '../host';
import type { LegalMoves } from '../protocol';

export abstract class PositionRun {
  /** What the engine has said of the position on the board; `null` before its first answer. */
  protected readonly answer = signal<LegalMoves | null>(null);
  /** The turns played. */
  protected moves: string[] = [];
  protected closed = false;
  /** The newest question to the engine. */
  private asked: Promise<unknown> = Promise.resolve();

  /** `start` is a FEN, or `null` for the start position. */
  constructor(
    readonly variant: VariantId,
    private readonly start: string | null,
  ) {}

  close(): void {
    this.closed = true;
  }

  /** Waits until the engine has said what is legal on the board, or that it cannot. */
  async ready(): Promise<void> {
    await this.asked.catch(() => {});
  }

  /** Asks the engine what is legal now; `null` if something else is on the board by then. */
  protected look(): Promise<LegalMoves | null> {
    const answer = this.ask();
    this.asked = answer;
    return answer;
  }

  private async ask(): Promise<LegalMoves | null> {
    const moves = [...this.moves];
    const answer = await session.ask({
      action: 'legal_moves',
      variant: this.variant,
      ...(this.start === null ? {} : { fen: this.start }),
      ...(moves.length > 0 ? { moves } : {}),
    });
    if (this.closed || moves.join() !== this.moves.join()) return null;
    this.answer.value = answer;
    return answer;
  }
}
