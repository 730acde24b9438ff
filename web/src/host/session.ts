// Questions and their answers: ids, promises, interim answers, and what happens when the engine goes.
//
// Queries that were under way when the host went are asked again once it is back, so nobody who waits for an answer
// needs to know. A query that sees the host go three times is given up: it may be what ended it.

import { signal } from '@preact/signals';
import { NothingFound, QueryError } from '../errors';
import { phrase } from '../messages';
import type { AnalyseQuery, Analysis, Answer, AnswerTo, Query, QueryWithId } from '../protocol';
import type { Host, HostState } from './host';

const ATTEMPTS = 3;
/** Seconds between interim answers where the caller did not say. */
const REPORT_EVERY = 0.25;

export interface Search {
  /** Rejects with `NothingFound` or `QueryError`. */
  readonly done: Promise<Analysis>;
  /** Ends the search; `done` comes to what was found so far. */
  stop(): void;
}

interface Pending {
  query: QueryWithId;
  attempts: number;
  /** Whoever asked wants an end. */
  stopped?: true;
  resolve(answer: Answer): void;
  reject(error: Error): void;
  interim?: (answer: Analysis) => void;
}

export class Session {
  readonly state = signal<HostState>('connecting');
  /** Why the engine went, in a sentence; empty if nobody knows. */
  readonly reason = signal('');
  private readonly pending = new Map<string, Pending>();
  private lastId = 0;
  private lastReason = '';
  private closed = false;

  /** Where it is not `patient`, what is asked is given up when the host, once gone, cannot be had again. */
  constructor(
    private readonly host: Host,
    private readonly patient = true,
  ) {}

  get kind(): Host['kind'] {
    return this.host.kind;
  }

  start(): void {
    this.host.start({
      answer: (answer) => this.hear(answer),
      state: (state, reason) => this.change(state, reason),
    });
  }

  close(): void {
    this.closed = true;
    this.host.close();
    this.giveUp(phrase('host.closed'));
  }

  retry(): void {
    this.host.retry();
  }

  ask<Q extends Query>(query: Q): Promise<AnswerTo<Q>> {
    return this.begin(query, undefined).done as Promise<AnswerTo<Q>>;
  }

  analyse(query: AnalyseQuery, onInterim?: (answer: Analysis) => void): Search {
    // Interim answers are always asked for: a worker that is stopped answers with the last one.
    const full: AnalyseQuery = {
      reportDuringSearchEvery: REPORT_EVERY,
      includeTurns: true,
      ...query,
      action: 'analyse',
    };
    const { id, done } = this.begin(full, onInterim);
    return { done: done as Promise<Analysis>, stop: () => this.stop(id) };
  }

  private begin(query: Query, interim: Pending['interim']): { id: string; done: Promise<Answer> } {
    this.lastId += 1;
    const id = `q${this.lastId}`;
    const done = new Promise<Answer>((resolve, reject) => {
      const pending: Pending = { query: { ...query, id }, attempts: 0, resolve, reject };
      if (interim) pending.interim = interim;
      this.pending.set(id, pending);
      if (this.closed) this.giveUp(phrase('host.closed'));
      else if (this.state.peek() === 'ready') this.send(pending);
    });
    return { id, done };
  }

  private send(pending: Pending): void {
    pending.attempts += 1;
    this.host.send(pending.query);
  }

  private stop(id: string): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    pending.stopped = true;
    if (pending.attempts > 0 && this.state.peek() === 'ready') {
      this.lastId += 1;
      this.host.send({ id: `t${this.lastId}`, action: 'terminate', terminateId: id });
    } else {
      this.pending.delete(id);
      pending.reject(new NothingFound());
    }
  }

  private hear(answer: Answer): void {
    if (typeof answer.id !== 'string' || 'warning' in answer) {
      console.warn(answer);
      return;
    }
    const pending = this.pending.get(answer.id);
    if (!pending) return;
    if ('isDuringSearch' in answer && answer.isDuringSearch) {
      pending.interim?.(answer);
      return;
    }
    this.pending.delete(answer.id);
    if ('error' in answer) pending.reject(new QueryError(answer.error, answer.field));
    else if ('noResults' in answer) pending.reject(new NothingFound());
    else pending.resolve(answer);
  }

  private giveUp(reason: string): void {
    for (const { reject } of this.pending.values()) reject(new Error(reason));
    this.pending.clear();
  }

  private change(state: HostState, reason = ''): void {
    if (state === 'gone') {
      this.lastReason = reason;
      for (const [id, pending] of this.pending) {
        if (!pending.stopped) continue;
        // Asked again, it would have no end.
        this.pending.delete(id);
        pending.reject(new NothingFound());
      }
      if (!this.patient && this.state.peek() === 'gone') this.giveUp(reason || phrase('host.wentAway'));
    }
    this.reason.value = reason;
    this.state.value = state;
    if (state !== 'ready') return;
    for (const [id, pending] of this.pending) {
      if (pending.attempts >= ATTEMPTS) {
        this.pending.delete(id);
        pending.reject(new Error(this.lastReason || phrase('host.wentAway')));
      } else {
        this.send(pending);
      }
    }
  }
}
