// The engine as WebAssembly in two workers: one for the rules, which answers at once, and one that searches.
// A worker hears no message while it searches. Where memory may be shared, a number there ends the search, and what it
// has found stays with it. Elsewhere, or if that takes too long, stopping means: end the worker, take what it said last
// as its result, and start a fresh one from the compiled module, which takes milliseconds.
import { phrase } from '../messages';
import type { Analysis, Answer, QueryWithId } from '../protocol';
import type { FromWorker, ToWorker } from './engine.worker';
import { backoff, type Host, type HostListener } from './host';
import { parse } from './socket';

/** Actions that need no search. */
const AT_ONCE = ['legal_moves', 'version', 'review', 'read_games', 'write_game'];

/** The part of a browser's `Worker` that is used. */
export interface WorkerLike {
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** Where workers and files come from. */
export interface Platform {
  spawn(): WorkerLike;
  read(url: string): Promise<ArrayBuffer>;
}

interface Running {
  query: QueryWithId;
  number: number;
  interim: Analysis | null;
}

/** Milliseconds that a search may take to end by itself. */
const PATIENCE = 1_000;

export class WorkerHost implements Host {
  readonly kind = 'worker';
  private listener: HostListener | null = null;
  private module: WebAssembly.Module | null = null;
  private rules: WorkerLike | null = null;
  private search: WorkerLike | null = null;
  private searchReady = false;
  private running: Running | null = null;
  private waiting: QueryWithId[] = [];
  private count = 0;
  /** The number of the last search that was ended; `null` where memory is not shared. */
  private readonly ended = sharedNumber();
  private ending: ReturnType<typeof setTimeout> | undefined;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  /** `folder` holds `hippolyta_web.js` and `hippolyta_web_bg.wasm`. */
  constructor(
    private readonly folder: string,
    private readonly platform: Platform,
  ) {}

  start(listener: HostListener): void {
    this.listener = listener;
    listener.state('connecting');
    void this.open();
  }

  send(query: QueryWithId): void {
    if (query.action !== undefined && AT_ONCE.includes(query.action)) {
      this.rules?.postMessage({ line: JSON.stringify(query), number: NEVER_ENDED } satisfies ToWorker);
    } else if (query.action === 'terminate') {
      this.terminate(query.terminateId);
      this.listener?.answer(query);
    } else {
      this.waiting.push(query);
      this.next();
    }
  }

  retry(): void {
    if (this.rules) return;
    clearTimeout(this.timer);
    void this.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.endWorkers();
  }

  private async open(): Promise<void> {
    try {
      // Not `compileStreaming`: it wants a MIME type that not every static host sends.
      this.module ??= await WebAssembly.compile(
        await this.platform.read(`${this.folder}/hippolyta_web_bg.wasm`),
      );
    } catch (error) {
      this.fail(whyNotLoaded(error));
      return;
    }
    if (this.closed || this.rules) return;
    const rules = this.worker(this.module, (message) => {
      if (this.rules !== rules) return;
      if (typeof message === 'string') {
        this.hear(message);
      } else if ('failed' in message) {
        this.fail(whyCrashed(message.failed));
      } else if ('ready' in message) {
        this.attempt = 0;
        this.listener?.state('ready');
      }
    });
    this.rules = rules;
    this.startSearch();
  }

  private startSearch(): void {
    if (!this.module) return;
    this.searchReady = false;
    const worker = this.worker(this.module, (message) => {
      // A worker that was ended may have a message under way.
      if (this.search !== worker) return;
      if (typeof message === 'string') {
        this.hear(message);
      } else if ('failed' in message) {
        this.fail(whyCrashed(message.failed));
      } else {
        this.searchReady = true;
        this.running = null;
        clearTimeout(this.ending);
        this.next();
      }
    });
    this.search = worker;
  }

  private worker(module: WebAssembly.Module, heard: (message: FromWorker) => void): WorkerLike {
    const worker = this.platform.spawn();
    worker.onmessage = (event) => heard(event.data);
    worker.onerror = (event) => {
      if (worker === this.rules || worker === this.search) this.fail(whyCrashed(event.message ?? ''));
    };
    const { ended } = this;
    worker.postMessage({ script: `${this.folder}/hippolyta_web.js`, module, ended } satisfies ToWorker);
    return worker;
  }

  private hear(line: string): void {
    const answer = parse(line);
    if (!answer) return;
    if (this.running && 'isDuringSearch' in answer && answer.isDuringSearch) this.running.interim = answer;
    this.listener?.answer(answer);
  }

  private next(): void {
    if (this.running || !this.searchReady || !this.search) return;
    const query = this.waiting.shift();
    if (!query) return;
    this.count += 1;
    this.running = { query, number: this.count, interim: null };
    this.search.postMessage({ line: JSON.stringify(query), number: this.count } satisfies ToWorker);
  }

  private terminate(id: string): void {
    const nothing: Answer = { id, isDuringSearch: false, noResults: true };
    const waiting = this.waiting.findIndex((query) => query.id === id);
    if (waiting >= 0) {
      this.waiting.splice(waiting, 1);
      this.listener?.answer(nothing);
    } else if (this.running?.query.id === id) {
      const { running } = this;
      const replace = () => {
        const { interim } = running;
        const answer: Answer = interim ? { ...interim, isDuringSearch: false } : nothing;
        this.search?.terminate();
        this.running = null;
        this.listener?.answer(answer);
        this.startSearch();
      };
      if (this.ended) {
        Atomics.store(this.ended, 0, running.number);
        this.ending = setTimeout(replace, PATIENCE);
      } else replace();
    }
  }

  private fail(reason: string): void {
    if (this.closed) return;
    this.endWorkers();
    this.running = null;
    this.waiting = [];
    this.listener?.state('gone', reason);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.open(), backoff(this.attempt));
    this.attempt += 1;
  }

  private endWorkers(): void {
    this.rules?.terminate();
    this.search?.terminate();
    this.rules = null;
    this.search = null;
    this.searchReady = false;
    clearTimeout(this.ending);
  }
}

/** The number sent with queries that need no search: they are never ended. */
const NEVER_ENDED = 2 ** 31 - 1;

function sharedNumber(): Int32Array | null {
  // Browsers share memory with pages alone that are kept apart from all others (cross-origin isolated).
  return typeof SharedArrayBuffer === 'undefined' ? null : new Int32Array(new SharedArrayBuffer(4));
}

function whyNotLoaded(error: unknown): string {
  if (error instanceof WebAssembly.CompileError) return phrase('host.tooOld');
  return phrase(isOutOfMemory(String(error)) ? 'host.noMemory' : 'host.notLoaded');
}

function whyCrashed(words: string): string {
  return isOutOfMemory(words) ? phrase('host.noMemory') : '';
}

/** Whether a browser, or the engine itself, says that memory ran out. */
function isOutOfMemory(words: string): boolean {
  return /out of memory|could not allocate|allocation failed|memory allocation|grow memory/i.test(words);
}
