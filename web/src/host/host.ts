// The interface between the page and an engine, whichever side of a wire the engine runs on.
import type { Answer, QueryWithId } from '../protocol';

/** `connecting` until the engine can be asked; `gone` when it went, and the host is trying again by itself. */
export type HostState = 'connecting' | 'ready' | 'gone';

export interface HostListener {
  answer(answer: Answer): void;
  /** `reason` is a sentence for people, where there is more to say than that the engine went. */
  state(state: HostState, reason?: string): void;
}

export interface Host {
  readonly kind: 'socket' | 'worker';
  start(listener: HostListener): void;
  /** Only while `ready`. What was sent before the host went gets no answer. */
  send(query: QueryWithId): void;
  /** Tries at once instead of waiting for the next attempt. */
  retry(): void;
  close(): void;
}

/** Milliseconds to wait before the nth attempt (from 0): half a second, doubled up to fifteen. */
export function backoff(attempt: number): number {
  return Math.min(15_000, 500 * 2 ** attempt);
}
