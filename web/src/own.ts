// Rule sets of people's own. The engine tells all that is to be known of them.
import type { VariantInfo } from './protocol';

/** A line of TOML that says all of a rule set. It stands wherever the name of a rule set stands. */
export type OwnId = `${string} = {${string}`;

/** The engine's information on a rule set of somebody's own. */
export type OwnInfo = VariantInfo & { line: OwnId };

/** All that are known, by their lines. */
const known = new Map<string, OwnInfo>();

/** Whether a text may be such a line: it is no name. */
export function isLine(text: string): text is OwnId {
  return text.includes(' = {');
}

export function isKnown(line: string): line is OwnId {
  return known.has(line);
}

export function infoOf(line: OwnId): OwnInfo {
  return known.get(line)!;
}

/** Takes up what the engine has told of a text. If that is a line in another spelling, it is known by this one, too. */
export function know(text: string, told: readonly VariantInfo[]): OwnInfo[] {
  const own = told.filter((info): info is OwnInfo => info.line !== undefined && isLine(info.line));
  for (const info of own) known.set(info.line, info);
  if (own[0] && own.length === 1 && isLine(text)) known.set(text, own[0]);
  return own;
}
