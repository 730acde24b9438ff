// The thirteen rule sets, for people. What is no word comes from the engine: `variants.json` is its own answer.
import { phrase } from './messages';
import type { RuleSet, VariantInfo } from './protocol';
import type { Letter } from './squares';
import variants from './variants.json';

/** What each plays by: rule sets with the same words differ by the size of the board alone. */
const RULES = {
  amazons: 'amazons',
  amazons8: 'amazons',
  amazons6: 'amazons',
  desdemona: 'desdemona',
  cassio: 'cassio',
  iago: 'iago',
  'desdemona-early': 'desdemona-early',
  'desdemona-early-border': 'desdemona-early-border',
  'desdemona-site': 'desdemona-site',
  'cassio-site': 'cassio-site',
  damone: 'damone',
  'damone-three': 'damone-three',
  'damone-imperatore': 'damone-imperatore',
} as const satisfies Record<RuleSet, string>;

export type VariantId = RuleSet;
export type FamilyId = 'amazons' | 'desdemona' | 'damone';

export interface Game extends Omit<VariantInfo, 'name' | 'files' | 'ranks'> {
  id: VariantId;
  family: FamilyId;
  width: number;
  height: number;
  readonly title: string;
  /** Where it differs from its relatives, in a few words. */
  readonly note: string;
  /** Two plain sentences on the rules. */
  readonly rules: string;
}

export function isVariant(id: string): id is VariantId {
  return Object.hasOwn(RULES, id);
}

function familyOf({ stones, promotes }: VariantInfo): FamilyId {
  if (promotes) return 'damone';
  return stones ? 'desdemona' : 'amazons';
}

/** A heading for a game and its relatives. */
export function familyTitle(family: FamilyId): string {
  return phrase(`game.family.${family}`);
}

function rulesOf(id: VariantId): string {
  const rules = RULES[id];
  if (rules === 'damone-three') return phrase(`game.rules.${rules}`, { rules: phrase('game.rules.damone') });
  return phrase(`game.rules.${rules}`);
}

export const games: readonly Game[] = (variants as VariantInfo[]).flatMap((told): Game[] => {
  const { name: id, files: width, ranks: height, ...rest } = told;
  if (!isVariant(id)) return [];
  return [
    {
      ...rest,
      id,
      family: familyOf(told),
      width,
      height,
      // The words follow the language.
      get title() {
        return phrase(`game.title.${id}`);
      },
      get note() {
        return phrase(`game.note.${id}`);
      },
      get rules() {
        return rulesOf(id);
      },
    },
  ];
});

const byId = new Map<string, Game>(games.map((game) => [game.id, game]));

/** The letters of the pieces that may stand on a board. */
export function lettersOf({ promotes, stones }: Game): readonly Letter[] {
  return [...(promotes ? 'PDIpdi' : stones ? 'QqSs*' : 'Qq*')];
}

export function gameOf(id: VariantId): Game {
  return byId.get(id)!;
}

/** The rule sets that differ from this one by the size of the board alone, and itself; the classic size comes first. */
export function sizesOf(id: VariantId): readonly Game[] {
  return games.filter((game) => RULES[game.id] === RULES[id]);
}
