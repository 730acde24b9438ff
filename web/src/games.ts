// The thirteen rule sets, for people, and rule sets of people's own. What is no word comes from the engine:
// `variants.json` is its own answer.
import { phrase } from './messages';
import { infoOf, isKnown, type OwnId, type OwnInfo } from './own';
import type { RuleSet, VariantInfo } from './protocol';
import type { Letter } from './squares';
import variants from './variants.json';

/** The rules of each, by the key of their words: rule sets that share a key differ by the size of the board alone. */
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

export type VariantId = RuleSet | OwnId;
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
  return isBuiltIn(id) || isKnown(id);
}

function isBuiltIn(id: string): id is RuleSet {
  return Object.hasOwn(RULES, id);
}

/** Whether it is a rule set of somebody's own. */
export function isOwn(id: VariantId): id is OwnId {
  return !isBuiltIn(id);
}

function familyOf({ stones, promotes }: VariantInfo): FamilyId {
  if (promotes) return 'damone';
  return stones ? 'desdemona' : 'amazons';
}

/** A heading for a game and its relatives. */
export function familyTitle(family: FamilyId): string {
  return phrase(`game.family.${family}`);
}

function rulesOf(id: RuleSet): string {
  const rules = RULES[id];
  if (rules === 'damone-three') return phrase(`game.rules.${rules}`, { rules: phrase('game.rules.damone') });
  return phrase(`game.rules.${rules}`);
}

export const games: readonly Game[] = (variants as VariantInfo[]).flatMap((told): Game[] => {
  const { name: id, files: width, ranks: height, ...rest } = told;
  if (!isBuiltIn(id)) return [];
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
  return isOwn(id) ? ownGame(infoOf(id)) : byId.get(id)!;
}

const own = new Map<OwnInfo, Game>();

/** A rule set of somebody's own, in that person's words and the engine's. */
function ownGame(told: OwnInfo): Game {
  let game = own.get(told);
  if (!game) {
    const {
      name,
      files: width,
      ranks: height,
      line: id,
      title = name,
      description,
      sentences,
      ...rest
    } = told;
    game = {
      ...rest,
      id,
      family: familyOf(told),
      width,
      height,
      title,
      get note() {
        return description || phrase('own.size', { width, height });
      },
      rules: (sentences ?? []).join(' '),
    };
    own.set(told, game);
  }
  return game;
}

/** The rule sets that differ from this one by the size of the board alone, and itself; the classic size comes first. */
export function sizesOf(id: VariantId): readonly Game[] {
  if (isOwn(id)) return [gameOf(id)];
  return games.filter((game) => !isOwn(game.id) && RULES[game.id] === RULES[id]);
}
