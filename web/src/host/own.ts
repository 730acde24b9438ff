// Asks the engine for rule sets of people's own.
import { keep } from '../keptRules';
import { isKnown, isLine, know, type OwnInfo } from '../own';
import { session } from '.';

/** The rule sets of a text in TOML, as the engine tells them. Rejects with what is wrong with the text. */
export async function rulesIn(text: string): Promise<OwnInfo[]> {
  const { variants } = await session.ask({ action: 'variants', rules: text });
  return know(text, variants);
}

/** Keeps the rule set of a game that comes from elsewhere, which is a line, or else a name that needs nothing. */
export async function keepRules(line: string): Promise<void> {
  if (!isLine(line)) return;
  if (!isKnown(line)) await rulesIn(line);
  if (isKnown(line)) keep(line);
}
