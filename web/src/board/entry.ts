// A turn being entered, square by square.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Square } from '../squares';
import type { Choices, Turn, TurnIndex } from '../turns';

const NONE: Choices = { next: new Set(), complete: null, taken: [] };

export class TurnEntry {
  /** The squares chosen so far. */
  readonly path = signal<readonly Square[]>([]);
  readonly choices: ReadonlySignal<Choices>;

  constructor(
    readonly turns: ReadonlySignal<TurnIndex | null>,
    private readonly played: (turn: Turn) => void,
  ) {
    this.choices = computed(() => this.turns.value?.choices(this.path.value) ?? NONE);
    // Another position: what was entered belongs to the old one. It lives and dies with its list of turns.
    effect(() => {
      this.turns.value;
      this.clear();
    });
  }

  /** Chooses a square: goes on with the turn, begins another one, or takes the choice back. */
  choose(square: Square): void {
    const { next } = this.choices.peek();
    if (next.has(square)) {
      this.extend(square);
    } else {
      this.clear();
      if (this.choices.peek().next.has(square)) this.extend(square);
    }
  }

  /** Takes the last square back. Says whether there was one. */
  undo(): boolean {
    const path = this.path.peek();
    if (path.length === 0) return false;
    this.path.value = path.slice(0, -1);
    return true;
  }

  clear(): void {
    if (this.path.peek().length > 0) this.path.value = [];
  }

  private extend(square: Square): void {
    this.path.value = [...this.path.peek(), square];
    const { next, complete } = this.choices.peek();
    if (complete !== null && next.size === 0) {
      this.path.value = [];
      this.played(complete);
    }
  }
}
