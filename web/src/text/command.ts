// A command of the text mode: what is typed for it, in English and in the language of the page, and what it does.
import { type Key, type PlainKey, phrase } from '../messages';

type After<Start extends string, K> = K extends `${Start}${infer Rest}` ? Rest : never;

/** The English word or words. */
export type CommandId = After<'command.typed.', Key>;
type Explained = After<'command.help.', PlainKey>;

export interface Command {
  id: CommandId;
  /** Other words for the command. */
  others: readonly string[];
  /** An example of the text that may follow it, for the help. */
  example: string;
  /** Empty if the help of another command speaks of it. */
  help: () => string;
  act: (rest: string) => string | Promise<string>;
}

interface More {
  example?: string;
  others?: readonly string[];
  help?: () => string;
}

export function command(id: Explained, act: Command['act'], more?: More): Command;
export function command(id: CommandId, act: Command['act'], more: More & { help: () => string }): Command;
export function command(id: CommandId, act: Command['act'], more: More = {}): Command {
  const { example = '', others = [], help = () => phrase(`command.help.${id as Explained}`) } = more;
  return { id, others, example, help, act };
}

/** How it is typed in the language of the page. */
export function typed(id: CommandId, example = ''): string {
  return [phrase(`command.typed.${id}`), example].filter(Boolean).join(' ');
}

/** The command that a text in small letters with single blanks begins with, and what follows it. */
export function commandIn(
  text: string,
  commands: readonly Command[],
): { act: () => ReturnType<Command['act']> } | null {
  for (const { id, others, act } of commands) {
    const name = [typed(id), id, ...others].find((one) => text === one || text.startsWith(`${one} `));
    if (name !== undefined) return { act: () => act(text.slice(name.length).trim()) };
  }
  return null;
}
