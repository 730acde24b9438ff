// The real engine for unit tests: `hippolyta analyse`, one process. `HIPPOLYTA` names the binary; else it is the one that
// `cargo build --release` leaves. Without one the tests that need it are skipped, and say so.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Answer, AnswerTo, Query } from '../../src/protocol';

export const binary = process.env.HIPPOLYTA ?? resolve('..', 'target', 'release', 'hippolyta');

/** For `test({ skip })`. */
export const skip = existsSync(binary) ? false : `no engine at ${binary}`;

export class Refused extends Error {
  constructor(
    message: string,
    readonly field: string | undefined,
  ) {
    super(message);
  }
}

export class TestEngine {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<string, { resolve(answer: Answer): void; reject(error: Error): void }>();
  private lastId = 0;

  constructor() {
    this.child = spawn(binary, ['analyse', '--jobs', '1', '--hash', '16'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdout } = this.child;
    if (!stdout) throw new Error('no output');
    createInterface({ input: stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      if (typeof answer.id !== 'string' || 'warning' in answer) return;
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if ('error' in answer) waiting?.reject(new Refused(answer.error, answer.field));
      else waiting?.resolve(answer);
    });
    this.child.once('close', (code) => {
      for (const { reject } of this.waiting.values()) reject(new Error(`the engine ended with ${code}`));
    });
  }

  readonly ask = <Q extends Query>(query: Q): Promise<AnswerTo<Q>> => {
    this.lastId += 1;
    const id = String(this.lastId);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: (answer) => resolve(answer as AnswerTo<Q>), reject });
      this.child.stdin?.write(`${JSON.stringify({ ...query, id })}\n`);
    });
  };

  close(): void {
    this.child.stdin?.end();
  }
}
