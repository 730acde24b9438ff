// The JSON lines of `hippolyta analyse`, whose types are the engine's own: `npm run types` makes `schema.ts` from its
// schema. See docs/protocols/json-lines.md.
import type * as schema from './schema';

export type * from './schema';

export type Side = schema.LegalMoves['currentPlayer'];
export type Outcome = Side | 'draw';
/** Win, draw and loss in thousandths. */
export type Wdl = schema.MoveInfo['wdl'];
export type StoneCount = schema.Stones['now'];
/** Effects of a turn beside moving and firing. */
export type Effects = schema.EffectsInfo;
/** Why a game is over. */
export type Ending = NonNullable<schema.LegalMoves['ending']>;
/** The name of a kind of turn that lost much. */
export type KindName = schema.KindInfo['name'];

export function other(side: Side): Side {
  return side === 'white' ? 'black' : 'white';
}

type WithoutId<Q extends schema.Query> = Q extends schema.Query ? Omit<Q, 'id'> : never;

export type QueryWithId = schema.Query;
/** A query as the page asks it: its session gives it an id. */
export type Query = WithoutId<schema.Query>;
export type AnalyseQuery = WithoutId<schema.AnalyseQuery>;
export type ReadGamesQuery = WithoutId<schema.ReadGamesQuery>;

/** A position: the rule set, where the game began (the start position if left out), and the turns played from there. */
export type PositionQuery = Omit<schema.LegalMovesQuery, 'id' | 'action'>;

/** Which answer a query gets. */
export type AnswerTo<Q extends Query> = Q extends {
  action: infer A extends Exclude<Query['action'], 'analyse' | undefined>;
}
  ? Extract<schema.Answer, { action: A }>
  : schema.Analysis;
