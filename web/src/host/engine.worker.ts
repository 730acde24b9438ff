// A worker with the engine as WebAssembly: it answers one line after another. While it computes it hears no messages,
// but sees memory that it shares with the page.
import { messageOf } from '../errors';
import { fetchedNow } from './fetched';

/** Addresses of the engine's files by their names in its folder. */
export type Files = Readonly<Record<string, string>>;

interface Engine {
  default(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  answer(line: string): void;
}

/**
 * First the script, the addresses of files that do not lie beside it, the compiled module and shared memory, if there is
 * any, then queries as lines. A line has a number, and is at its end once the number in the memory is not below it.
 */
export type ToWorker =
  | { script: string; files: Files; module: WebAssembly.Module; ended: Int32Array | null }
  | { line: string; number: number };
/** Lines of answers are strings. `done` says that the last line was answered in full. */
export type FromWorker = string | { ready: true } | { done: true } | { failed: string };

let engine: Promise<Engine> | null = null;
let ended: Int32Array | null = null;
let number = 0;

/** How a file is read; a worker in Node has another way. */
const { readNow = fetchedNow } = self as { readNow?: (url: string) => Uint8Array };

async function load(script: string, files: Files, module: WebAssembly.Module): Promise<Engine> {
  // The engine asks for these by their names.
  Object.assign(self, {
    isStopped: () => ended !== null && Atomics.load(ended, 0) >= number,
    readPart: (name: string) => readNow(files[name] ?? new URL(name, script).href),
    encodingOf,
    textIn: (encoding: string, bytes: Uint8Array) =>
      new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes),
  });
  const loaded = (await import(/* @vite-ignore */ script)) as Engine;
  await loaded.default({ module_or_path: module });
  return loaded;
}

function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function say(message: FromWorker): void {
  self.postMessage(message);
}

self.onmessageerror = () => say({ failed: 'a message to the worker cannot be read there' });

self.onmessage = async (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  try {
    if ('module' in message) {
      ended = message.ended;
      engine = load(message.script, message.files, message.module);
      await engine;
      say({ ready: true });
    } else if (engine) {
      number = message.number;
      (await engine).answer(message.line);
      say({ done: true });
    }
  } catch (error) {
    say({ failed: messageOf(error) });
  }
};
