// The thirteen rule sets, for people. What is no word comes from the engine: `variants.json` is its own answer.
import type { RuleSet, VariantInfo } from './protocol';
import type { Letter } from './squares';
import variants from './variants.json';

interface Words {
  title: string;
  /** Where it differs from its relatives, in a few words. */
  note: string;
  /** Two plain sentences on the rules. */
  rules: string;
}

const AMAZONS =
  'Move one of your amazons like a chess queen, then let it shoot an arrow like a queen, which closes a square for good. ' +
  'Whoever cannot move any more loses.';
const DAMONE =
  'Pieces step diagonally forwards and a little sideways, and must jump over enemies of their own rank or lower whenever they can. ' +
  'Whoever has no piece or no turn left loses.';

const words = {
  amazons: { title: 'Amazons', note: 'the classic board, 10×10', rules: AMAZONS },
  amazons8: { title: 'Amazons 8×8', note: 'a shorter game on 8×8', rules: AMAZONS },
  amazons6: { title: 'Amazons 6×6', note: 'a quick game on 6×6, good for a first try', rules: AMAZONS },
  desdemona: {
    title: 'Desdemona',
    note: 'stones, neutral stones and flips',
    rules:
      'Move an amazon like a queen, then shoot: an ordinary shot leaves a neutral stone anywhere but on the rim, and a shot ' +
      'over a row of enemy stones leaves your own stone behind it and turns that row to your colour. When the side to move ' +
      'has no turn left, most stones win.',
  },
  cassio: {
    title: 'Cassio',
    note: 'every shot leaves a neutral stone',
    rules:
      'Move an amazon like a queen, then shoot: every shot leaves a neutral stone, and a shot over a row of enemy stones turns ' +
      'that row to your colour. When the side to move has no turn left, most stones win.',
  },
  iago: {
    title: 'Iago',
    note: 'flips as in Othello',
    rules:
      'Move an amazon like a queen, also over your own pieces, then shoot a stone of your colour: enemy stones enclosed between ' +
      'it and another piece of yours turn to your colour. When the side to move has no turn left, most stones win.',
  },
  'desdemona-early': {
    title: 'Desdemona, early rules',
    note: 'the first text, of 7 November 2020',
    rules:
      'Move an amazon, then shoot: an ordinary shot leaves your own stone, and a shot over a row of enemy stones turns the row ' +
      'and leaves a neutral stone. There are no stones at the start, and when the side to move has no turn left, most stones win.',
  },
  'desdemona-early-border': {
    title: 'Desdemona, early rules with border',
    note: 'the first text, where ordinary shots stay off the rim',
    rules:
      'Move an amazon, then shoot your own stone: an ordinary shot may not land on the rim, and a shot over a row of enemy stones ' +
      'turns that row. There are no stones at the start, and when the side to move has no turn left, most stones win.',
  },
  'desdemona-site': {
    title: 'Desdemona, as on the web site',
    note: 'what the authors’ site really plays',
    rules:
      'As Desdemona, but an ordinary shot leaves a stone of your own colour instead of a neutral one. ' +
      'This is how the web site of its authors plays, so games from there can be looked at.',
  },
  'cassio-site': {
    title: 'Cassio, as on the web site',
    note: 'what the authors’ site really plays',
    rules:
      'As Cassio, but an ordinary shot leaves a stone of your own colour, and only a shot over enemy stones leaves a neutral one. ' +
      'This is how the web site of its authors plays, so games from there can be looked at.',
  },
  damone: {
    title: 'Damone',
    note: 'draughts with three ranks',
    rules: DAMONE,
  },
  'damone-three': {
    title: 'Damone with three dame',
    note: 'three dame and three pedine a side',
    rules: `A small army: three dame and three pedine on each side, and no damone at the start. ${DAMONE}`,
  },
  'damone-imperatore': {
    title: 'Damone with imperatore',
    note: 'lose your damone and the game is lost',
    rules:
      'As Damone, but the damone is an emperor: a side that has none left has lost at once. ' +
      'Pieces must jump over enemies of their own rank or lower whenever they can.',
  },
} satisfies Record<RuleSet, Words>;

export type VariantId = RuleSet;

export interface Game extends Words, Omit<VariantInfo, 'name' | 'files' | 'ranks'> {
  id: VariantId;
  /** A heading for it and its relatives. */
  family: string;
  width: number;
  height: number;
}

export function isVariant(id: string): id is VariantId {
  return Object.hasOwn(words, id);
}

function familyOf({ stones, promotes }: VariantInfo): string {
  if (promotes) return 'Damone';
  return stones ? 'Desdemona and relatives' : 'Game of the Amazons';
}

export const games: readonly Game[] = (variants as VariantInfo[]).flatMap((told) => {
  const { name: id, files: width, ranks: height, ...rest } = told;
  return isVariant(id) ? [{ ...rest, ...words[id], id, family: familyOf(told), width, height }] : [];
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
  const { rules } = gameOf(id);
  return games.filter((game) => game.rules === rules);
}
