// `hippolyta serve`: a WebSocket beside the page, a JSON object a message.
import { phrase } from '../messages';
import type { Answer, QueryWithId } from '../protocol';
import { backoff, type Host, type HostListener } from './host';
import { forbidden, watchPolicy } from './policy';

/** The code of a server that has no room just now (RFC 6455's registry: "try again later"). */
const TRY_LATER = 1013;
/** Milliseconds before a full server is asked again. */
const FULL = 5000;

export class SocketHost implements Host {
  readonly kind = 'socket';
  private listener: HostListener | null = null;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private ready = false;
  /** Why no socket could be had, as far as it is known. */
  private why = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(private readonly url: string) {}

  start(listener: HostListener): void {
    this.listener = listener;
    listener.state('connecting');
    this.open();
  }

  send(query: QueryWithId): void {
    this.socket?.send(JSON.stringify(query));
  }

  retry(): void {
    if (this.socket) return;
    clearTimeout(this.timer);
    this.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private open(): void {
    watchPolicy();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    // A full server accepts, too, to close at once with its reason: the engine is there when it has said something.
    this.ready = false;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      socket.send(JSON.stringify({ id: 'hello', action: 'version' } satisfies QueryWithId));
    };
    socket.onmessage = (event) => {
      const answer = parse(event.data);
      if (!this.ready) {
        this.ready = true;
        this.why = '';
        this.attempt = 0;
        this.listener?.state('ready');
      }
      if (answer) this.listener?.answer(answer);
    };
    // `onerror` tells nothing that `onclose` does not, and `onclose` always follows.
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket) this.socket = null;
      this.ready = false;
      if (this.closed) return;
      // A server that closes says why, in a sentence.
      this.listener?.state('gone', reason || this.why);
      if (!opened && !reason) void this.explain();
      const wait = backoff(this.attempt);
      this.timer = setTimeout(() => this.open(), code === TRY_LATER ? Math.max(FULL, wait) : wait);
      this.attempt += 1;
    };
  }

  /** Finds out why no socket could be had. */
  private async explain(): Promise<void> {
    this.why = (await forbidden()) || (await refusal(this.url));
    if (this.why && !this.ready && !this.closed) this.listener?.state('gone', this.why);
  }
}

/** The reason for which a server refuses a socket, if it gives one; a browser tells a page nothing of it. */
async function refusal(url: string): Promise<string> {
  try {
    // As a socket does, and unlike `GET`, this names the page that asks.
    const answer = await fetch(url.replace(/^ws/, 'http'), { method: 'POST' });
    // `hippolyta serve` says that what it got asks for no socket.
    if (answer.status === 426) return phrase('host.noUpgrade');
    if (answer.status === 403)
      return phrase('host.refused', { reason: (await answer.text()).trim().slice(0, 300) });
  } catch {
    // Nobody answers.
  }
  return '';
}

/** The object of a line, or `null` if it is none: a broken line must not break the page. */
export function parse(data: unknown): Answer | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Answer) : null;
  } catch {
    return null;
  }
}

/** `/ws` beside the page. */
export function socketUrl(page: string): string {
  const url = new URL('./ws', page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = '';
  url.hash = '';
  return url.href;
}
