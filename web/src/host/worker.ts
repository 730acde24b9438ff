// The engine as WebAssembly in two workers: one for the rules, which answers at once, and one that searches.
// A worker hears no message while it searches. Where memory may be shared, a number there ends the search, and what it
// has found stays with it. Elsewhere, or if that takes too long, stopping means: end the worker, take what it said last
// as its result, and start a fresh one from the compiled module, which takes milliseconds.
import { messageOf } from '../errors';
import { phrase } from '../messages';
import type { Analysis, Answer, QueryWithId } from '../protocol';
import type { Files, FromWorker, ToWorker } from './engine.worker';
import { backoff, type Host, type HostListener } from './host';
import { parse } from './socket';

/** Actions that need no search. */
const AT_ONCE = ['legal_moves', 'version', 'review', 'read_games', 'write_game'];

/** The part of a browser's `Worker` that is used. */
export interface WorkerLike {
  onmessage: ((event: { data: FromWorker }) => void) | null;
  /** A message of the worker cannot be read here. */
  onmessageerror: (() => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** Where workers and files come from. */
export interface Platform {
  /** The script of its workers, as errors name it. */
  workerFile: string;
  spawn(): WorkerLike;
  read(url: string): Promise<ArrayBuffer>;
  /** What a policy has forbidden since this was asked last, in a sentence; empty if nothing. */
  forbidden?(): Promise<string>;
}

interface Running {
  query: QueryWithId;
  number: number;
  interim: Analysis | null;
}

/** Milliseconds that a search may take to end by itself. */
const PATIENCE = 1_000;
/** Milliseconds within which a worker must be ready. */
const START = 60_000;
/** Milliseconds within which the engine must be there: most of it comes through a network. */
const DOWNLOAD = 300_000;

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
  private readonly starting = new Set<ReturnType<typeof setTimeout>>();
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  /** `folder` holds `hippolyta_web.js` and `hippolyta_web_bg.wasm`, unless they are among `files`. */
  constructor(
    private readonly folder: string,
    private readonly platform: Platform,
    private readonly files: Files = {},
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
    const file = this.at('hippolyta_web_bg.wasm');
    try {
      this.module ??= await compiled(await inTime(this.platform.read(file)));
    } catch (error) {
      await this.failToLoad(file, error);
      return;
    }
    if (this.closed || this.rules) return;
    this.rules = this.worker((message) => {
      if (!('ready' in message)) return;
      this.attempt = 0;
      this.listener?.state('ready');
    });
    if (this.rules) this.startSearch();
  }

  private at(name: string): string {
    return this.files[name] ?? `${this.folder}/${name}`;
  }

  private startSearch(): void {
    this.searchReady = false;
    this.search = this.worker(() => {
      this.searchReady = true;
      this.running = null;
      clearTimeout(this.ending);
      this.next();
    });
  }

  /** A worker; `heard` is told what it says beside answers. `null` where none can be made: then all has failed. */
  private worker(heard: (message: { ready: true } | { done: true }) => void): WorkerLike | null {
    const { ended, files, module, platform } = this;
    if (!module) return null;
    let ready = false;
    let worker: WorkerLike | null = null;
    const lost = (error: unknown) => {
      this.endWorkers();
      if (ready) this.fail(whyFailed(messageOf(error)));
      else void this.failToLoad(platform.workerFile, error);
    };
    // One that was ended may have a message under way.
    const isCurrent = () => worker === this.rules || worker === this.search;
    const losing = (words: string) => isCurrent() && lost(words);
    const late = setTimeout(() => losing(`not ready after ${START / 1000} s`), START);
    try {
      worker = platform.spawn();
      this.starting.add(late);
      worker.onmessageerror = () => losing('a message of the worker cannot be read here');
      worker.onerror = ({ message }) => losing(message ?? '');
      worker.onmessage = ({ data }) => {
        if (!isCurrent()) return;
        clearTimeout(late);
        if (typeof data === 'string') {
          this.hear(data);
        } else if ('failed' in data) {
          lost(data.failed);
        } else {
          ready = true;
          heard(data);
        }
      };
      worker.postMessage({ script: this.at('hippolyta_web.js'), files, module, ended } satisfies ToWorker);
    } catch (error) {
      clearTimeout(late);
      worker?.terminate();
      lost(error);
      return null;
    }
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

  /** This file of the engine cannot be had, or does not run. */
  private async failToLoad(file: string, error: unknown): Promise<void> {
    this.fail((await this.platform.forbidden?.()) || whyNotLoaded(file, error));
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
    for (const timer of this.starting) clearTimeout(timer);
    this.starting.clear();
  }
}

/** The number sent with queries that need no search: they are never ended. */
const NEVER_ENDED = 2 ** 31 - 1;

function sharedNumber(): Int32Array | null {
  // Browsers share memory with pages alone that are kept apart from all others (cross-origin isolated).
  return typeof SharedArrayBuffer === 'undefined' ? null : new Int32Array(new SharedArrayBuffer(4));
}

/** What comes within the time that a download may take. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`not there after ${DOWNLOAD / 1000} s`)), DOWNLOAD);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(late);
  }
}

/** The engine. Not by `compileStreaming`: that wants a MIME type that not every static host sends. */
async function compiled(file: ArrayBuffer): Promise<WebAssembly.Module> {
  // Many a server has a page of its own for what is not there.
  if (new TextDecoder().decode(file.slice(0, 4)) !== '\0asm') throw new Error('this is no WebAssembly');
  return WebAssembly.compile(file);
}

function whyNotLoaded(file: string, error: unknown): string {
  const words = messageOf(error).replace(/\.$/, '');
  if (isOutOfMemory(words)) return phrase('host.noMemory');
  if (/content.security.policy|\bCSP\b|unsafe-eval/i.test(words))
    return phrase('host.forbidden', { file, directive: "script-src without 'wasm-unsafe-eval'" });
  if (error instanceof WebAssembly.CompileError) return phrase('host.tooOld');
  const reason = words && !words.includes(file) ? `${file}: ${words}` : words || file;
  return phrase('host.notLoaded', { reason });
}

function whyFailed(words: string): string {
  if (isOutOfMemory(words)) return phrase('host.noMemory');
  return words ? phrase('host.failed', { reason: words }) : '';
}

/** Whether a browser, or the engine itself, says that memory ran out. */
function isOutOfMemory(words: string): boolean {
  return /out of memory|could not allocate|allocation failed|memory allocation|grow memory/i.test(words);
}
