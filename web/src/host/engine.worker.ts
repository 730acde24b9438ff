// A worker with the engine as WebAssembly: it answers one line after another, and hears nothing while it computes.
import { messageOf } from '../errors';

interface Engine {
  default(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  answer(line: string): void;
}

/** First the script and the compiled module, then queries as lines. */
export type ToWorker = { script: string; module: WebAssembly.Module } | { line: string };
/** Lines of answers are strings. `done` says that the last line was answered in full. */
export type FromWorker = string | { ready: true } | { done: true } | { failed: string };

let engine: Promise<Engine> | null = null;

async function load(script: string, module: WebAssembly.Module): Promise<Engine> {
  const loaded = (await import(/* @vite-ignore */ script)) as Engine;
  await loaded.default({ module_or_path: module });
  return loaded;
}

function say(message: FromWorker): void {
  self.postMessage(message);
}

self.onmessage = async (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  try {
    if ('module' in message) {
      engine = load(message.script, message.module);
      await engine;
      say({ ready: true });
    } else if (engine) {
      (await engine).answer(message.line);
      say({ done: true });
    }
  } catch (error) {
    say({ failed: messageOf(error) });
  }
};
