// The common base of a lesson and a problem under way: turns from a position, and the engine's answers after them.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { TurnEntry } from '../board/entry';
import type { VariantId } from '../games';
import { session } from '../host';
import { say } from '../live';
import type { LegalMoves } from '../protocol';
import { type BoardView, type Square, viewOf } from '../squares';
import { squaresOfTurn, type Turn, type TurnIndex } from '../turns';

export interface Verdict {
  kind: 'right' | 'wrong' | 'note';
  text: string;
}

export abstract class PositionRun {
  readonly verdict = signal<Verdict | null>(null);
  readonly finished = signal(false);
  abstract readonly entry: TurnEntry;
  /** The turns that the reader may play now. */
  abstract readonly turns: ReadonlySignal<TurnIndex | null>;
  /** The engine's answer on the position on the board; `null` before the first one. */
  protected readonly answer = signal<LegalMoves | null>(null);
  /** Shown in place of the engine's position: a move without its shot. */
  protected readonly half = signal<{ view: BoardView; path: readonly Square[] } | null>(null);
  /** The position on the board; `null` before the engine's first answer. */
  readonly view: ReadonlySignal<BoardView | null> = computed(() => {
    const position = this.answer.value?.position;
    return this.half.value?.view ?? (position ? viewOf(position) : null);
  });
  /** The last turn's squares. */
  readonly last: ReadonlySignal<readonly Square[]> = computed(() => {
    const effects = this.answer.value?.effects;
    return this.half.value?.path ?? (effects ? squaresOfTurn(effects) : []);
  });
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

  protected abstract play(turn: Turn): Promise<void>;

  /** A turn as text. Says whether it is legal here. */
  typed(text: string): boolean {
    const turn = this.turns.peek()?.find(text) ?? null;
    if (!turn) return false;
    this.entry.clear();
    void this.play(turn);
    return true;
  }

  protected tell(kind: Verdict['kind'], text: string, spoken = text): void {
    this.verdict.value = { kind, text };
    say(spoken);
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
      includePosition: true,
      includeTurns: true,
    });
    if (this.closed || moves.join() !== this.moves.join()) return null;
    this.answer.value = answer;
    return answer;
  }
}
