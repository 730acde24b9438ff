// A turn being entered, square by square.
import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { Square } from '../squares';
import type { Choices, Turn, TurnIndex } from '../turns';

const NONE: Choices = { next: new Set(), complete: null, taken: [] };

export interface Awaiting {
  /** The legal turns are asked for and will come. */
  isOnItsWay: ReadonlySignal<boolean>;
  /** The squares chosen so far are kept while this stays as it is. */
  place: ReadonlySignal<unknown>;
  /** Does a turn that was entered in full wait for `confirm`? */
  isConfirmed?: () => boolean;
}

export class TurnEntry {
  /** The squares chosen so far. */
  readonly path = signal<readonly Square[]>([]);
  readonly choices: ReadonlySignal<Choices>;
  /** The turn that waits to be confirmed. */
  readonly unconfirmed: ReadonlySignal<Turn | null>;

  /** Squares that were chosen before it was known what is legal. */
  private waiting: readonly Square[] = [];

  /** With `awaiting`, what is chosen while the legal turns are on their way is answered once they are known. */
  constructor(
    readonly turns: ReadonlySignal<TurnIndex | null>,
    private readonly played: (turn: Turn) => void,
    private readonly awaiting?: Awaiting,
  ) {
    this.choices = computed(() => this.turns.value?.choices(this.path.value) ?? NONE);
    this.unconfirmed = computed(() => {
      const { next, complete } = this.choices.value;
      return next.size === 0 ? complete : null;
    });
    // Another position: what was entered belongs to the old one. It lives and dies with its list of turns, but for where
    // the game goes on in the same place: a piece that was taken up while the engine thought stays in the hand.
    let place: unknown;
    effect(() => {
      const turns = this.turns.value;
      const before = place;
      place = this.awaiting?.place.value;
      untracked(() => {
        const kept = place !== undefined && place === before ? [...this.path.peek(), ...this.waiting] : [];
        this.clear();
        if (turns) for (const square of kept) this.choose(square);
        else this.waiting = kept;
      });
    });
  }

  /** Chooses a square: goes on with the turn, confirms it, begins another one, or takes the choice back. */
  choose(square: Square): void {
    if (this.turns.peek() === null) {
      if (this.awaiting?.isOnItsWay.peek()) this.waiting = [...this.waiting, square];
      return;
    }
    const { next } = this.choices.peek();
    if (next.has(square)) {
      this.extend(square);
    } else if (square !== this.path.peek().at(-1) || !(this.confirm() || this.end())) {
      this.clear();
      if (this.choices.peek().next.has(square)) this.extend(square);
    }
  }

  /** Plays the turn that waits for it. Says whether there was one. */
  confirm(): boolean {
    const turn = this.unconfirmed.peek();
    if (!turn) return false;
    this.path.value = [];
    this.played(turn);
    return true;
  }

  /** Plays the turn that could go on but need not, as one that may hold its fire. Says whether there was one. */
  end(): boolean {
    const { next, complete } = this.choices.peek();
    if (!complete || next.size === 0) return false;
    this.path.value = [];
    this.played(complete);
    return true;
  }

  /** Takes the last square back. Says whether there was one. */
  undo(): boolean {
    const path = this.path.peek();
    if (path.length === 0) return false;
    this.path.value = path.slice(0, -1);
    return true;
  }

  clear(): void {
    this.waiting = [];
    if (this.path.peek().length > 0) this.path.value = [];
  }

  private extend(square: Square): void {
    this.path.value = [...this.path.peek(), square];
    if (this.unconfirmed.peek() && !this.awaiting?.isConfirmed?.()) this.confirm();
  }
}
