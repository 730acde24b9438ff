// The thirteen rule sets, for people.

export type Family = 'amazons' | 'desdemona' | 'damone';

export type VariantId =
  | 'amazons'
  | 'amazons8'
  | 'amazons6'
  | 'desdemona'
  | 'cassio'
  | 'iago'
  | 'desdemona-early'
  | 'desdemona-early-border'
  | 'desdemona-site'
  | 'cassio-site'
  | 'damone'
  | 'damone-three'
  | 'damone-imperatore';

export interface Game {
  id: VariantId;
  family: Family;
  title: string;
  /** Where it differs from its relatives, in a few words. */
  note: string;
  width: number;
  height: number;
  start: string;
  /** Two plain sentences on the rules. */
  rules: string;
  /** What `analyse` can say beyond win rates. */
  ownership: boolean;
  territory: boolean;
  stones: boolean;
}

export const familyTitle: Record<Family, string> = {
  amazons: 'Game of the Amazons',
  desdemona: 'Desdemona and relatives',
  damone: 'Damone',
};

const AMAZONS =
  'Move one of your amazons like a chess queen, then let it shoot an arrow like a queen, which closes a square for good. ' +
  'Whoever cannot move any more loses.';
const DESDEMONA_START = '3q2Q3/10/10/Q8q/4sS4/4Ss4/q8Q/10/10/3Q2q3 w m - 0 1';
const EARLY_START = '3q2Q3/10/10/Q8q/10/10/q8Q/10/10/3Q2q3 w m - 0 1';
const DAMONE =
  'Pieces step diagonally forwards and a little sideways, and must jump over enemies of their own rank or lower whenever they can. ' +
  'Whoever has no piece or no turn left loses.';

function amazons(id: VariantId, size: number, start: string, note: string): Game {
  return {
    id,
    family: 'amazons',
    title: size === 10 ? 'Amazons' : `Amazons ${size}×${size}`,
    note,
    width: size,
    height: size,
    start,
    rules: AMAZONS,
    ownership: true,
    territory: true,
    stones: false,
  };
}

function desdemona(id: VariantId, title: string, note: string, start: string, rules: string): Game {
  return {
    id,
    family: 'desdemona',
    title,
    note,
    width: 10,
    height: 10,
    start,
    rules,
    ownership: true,
    territory: false,
    stones: true,
  };
}

function damone(id: VariantId, title: string, note: string, start: string, rules: string): Game {
  return {
    id,
    family: 'damone',
    title,
    note,
    width: 8,
    height: 8,
    start,
    rules,
    ownership: false,
    territory: false,
    stones: false,
  };
}

export const games: readonly Game[] = [
  amazons('amazons', 10, '3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1', 'the classic board, 10×10'),
  amazons('amazons8', 8, '2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1', 'a shorter game on 8×8'),
  amazons('amazons6', 6, '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', 'a quick game on 6×6, good for a first try'),
  desdemona(
    'desdemona',
    'Desdemona',
    'stones, neutral stones and flips',
    DESDEMONA_START,
    'Move an amazon like a queen, then shoot: an ordinary shot leaves a neutral stone anywhere but on the rim, and a shot ' +
      'over a row of enemy stones leaves your own stone behind it and turns that row to your colour. When the side to move ' +
      'has no turn left, most stones win.',
  ),
  desdemona(
    'cassio',
    'Cassio',
    'every shot leaves a neutral stone',
    DESDEMONA_START,
    'Move an amazon like a queen, then shoot: every shot leaves a neutral stone, and a shot over a row of enemy stones turns ' +
      'that row to your colour. When the side to move has no turn left, most stones win.',
  ),
  desdemona(
    'iago',
    'Iago',
    'flips as in Othello',
    DESDEMONA_START,
    'Move an amazon like a queen, also over your own pieces, then shoot a stone of your colour: enemy stones enclosed between ' +
      'it and another piece of yours turn to your colour. When the side to move has no turn left, most stones win.',
  ),
  desdemona(
    'desdemona-early',
    'Desdemona, early rules',
    'the first text, of 7 November 2020',
    EARLY_START,
    'Move an amazon, then shoot: an ordinary shot leaves your own stone, and a shot over a row of enemy stones turns the row ' +
      'and leaves a neutral stone. There are no stones at the start, and when the side to move has no turn left, most stones win.',
  ),
  desdemona(
    'desdemona-early-border',
    'Desdemona, early rules with border',
    'the first text, where ordinary shots stay off the rim',
    EARLY_START,
    'Move an amazon, then shoot your own stone: an ordinary shot may not land on the rim, and a shot over a row of enemy stones ' +
      'turns that row. There are no stones at the start, and when the side to move has no turn left, most stones win.',
  ),
  desdemona(
    'desdemona-site',
    'Desdemona, as on the web site',
    'what the authors’ site really plays',
    DESDEMONA_START,
    'As Desdemona, but an ordinary shot leaves a stone of your own colour instead of a neutral one. ' +
      'This is how the web site of its authors plays, so games from there can be looked at.',
  ),
  desdemona(
    'cassio-site',
    'Cassio, as on the web site',
    'what the authors’ site really plays',
    DESDEMONA_START,
    'As Cassio, but an ordinary shot leaves a stone of your own colour, and only a shot over enemy stones leaves a neutral one. ' +
      'This is how the web site of its authors plays, so games from there can be looked at.',
  ),
  damone(
    'damone',
    'Damone',
    'draughts with three ranks',
    'i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1',
    DAMONE,
  ),
  damone(
    'damone-three',
    'Damone with three dame',
    'three dame and three pedine a side',
    'd1d5/3p4/d1p5/1p6/6P1/5P1D/4P3/5D1D w - - 0 1',
    `A small army: three dame and three pedine on each side, and no damone at the start. ${DAMONE}`,
  ),
  damone(
    'damone-imperatore',
    'Damone with imperatore',
    'lose your damone and the game is lost',
    'i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1',
    'As Damone, but the damone is an emperor: a side that has none left has lost at once. ' +
      'Pieces must jump over enemies of their own rank or lower whenever they can.',
  ),
];

const byId = new Map<string, Game>(games.map((game) => [game.id, game]));

export function isVariant(id: string): id is VariantId {
  return byId.has(id);
}

export function gameOf(id: VariantId): Game {
  return byId.get(id)!;
}
