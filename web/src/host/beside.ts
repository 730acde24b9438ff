import { type Signal, signal } from '@preact/signals';
import { messageOf } from '../errors';
import { fetched } from './fetched';

/** A file beside the page, which is read when somebody first wants to see what it holds. */
export class FileBeside<T> {
  /** The content of the file; `null` until it is there. */
  readonly content: Signal<T | null> = signal(null);
  /** Why it cannot be shown; empty if nothing is wrong. */
  readonly failure = signal('');
  private asked = false;

  /** `read` throws an `Error` with one line if the text is not what it should be. */
  constructor(
    private readonly name: string,
    private readonly read: (text: string) => T,
  ) {}

  /** Reads the file, once. After a failure it may be tried again. */
  async load(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    this.failure.value = '';
    try {
      const file = await fetched(new URL(this.name, document.baseURI).href);
      this.content.value = this.read(new TextDecoder().decode(file));
    } catch (error) {
      this.failure.value = messageOf(error);
      this.asked = false;
    }
  }
}
