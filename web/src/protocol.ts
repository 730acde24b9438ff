// The JSON lines of `hippolyta analyse`, as far as the page speaks them. See "Analysis in JSON lines" in protocol.md.

export type Side = 'white' | 'black';
export type Outcome = Side | 'draw';

export function other(side: Side): Side {
  return side === 'white' ? 'black' : 'white';
}

/** A position: the rule set, where the game began (the start position if left out), and the turns played from there. */
export interface PositionQuery {
  variant: string;
  fen?: string;
  moves?: string[];
}

export interface LegalMovesQuery extends PositionQuery {
  action: 'legal_moves';
}

export interface VersionQuery {
  action: 'version';
}

export interface PerftQuery extends PositionQuery {
  action: 'perft';
  depth: number;
}

/** Milliseconds left, and what a side gains with every turn. */
export interface ClockTimes {
  white: number;
  black: number;
  whiteIncrement: number;
  blackIncrement: number;
}

export interface AnalyseQuery extends PositionQuery {
  action?: 'analyse';
  nodes?: number;
  movetime?: number;
  depth?: number;
  mate?: number;
  multipv?: number;
  searchmoves?: string[];
  seed?: number;
  priority?: number;
  /** Seconds between interim answers. */
  reportDuringSearchEvery?: number;
  includeOwnership?: boolean;
  includeTerritory?: boolean;
  includeStones?: boolean;
  /** 0 … 4000: play with limited strength. */
  elo?: number;
  clock?: ClockTimes;
}

export interface TerminateQuery {
  action: 'terminate';
  terminateId: string;
}

/** A turn of a record, what an engine said of it, and the lines that replace it. */
export interface RecordedMove {
  move: string;
  /** From the opening: no engine chose it. */
  book?: boolean;
  /** From the mover's view. */
  score?: Score;
  depth?: number;
  nodes?: number;
  time_us?: number;
  clock_ms?: number;
  comment?: string;
  variations?: RecordedMove[][];
}

/** A game as `games.jsonl` has it. Numbers count from 0. */
export interface GameRecord {
  game?: number;
  opening?: number;
  variant: string;
  fen?: string;
  white?: string;
  black?: string;
  moves: RecordedMove[];
  result?: string;
  reason?: string;
  margin?: number;
  detail?: string;
  /** The end of the main line. */
  final_fen?: string;
  /** All else, as in PGN. */
  tags?: Record<string, string>;
  comment?: string;
}

export type GameFormat = 'pgn' | 'sgf' | 'jsonl' | 'fen';

export interface ReadGamesQuery {
  action: 'read_games';
  /** This or `base64`, the bytes of a file. */
  text?: string;
  base64?: string;
  name?: string;
  /** Of games that name none, if their turns fit it. */
  variant?: string;
  from?: number;
  count?: number;
}

export interface WriteGameQuery {
  action: 'write_game';
  format: GameFormat;
  record: GameRecord;
}

export type Query =
  | LegalMovesQuery
  | VersionQuery
  | PerftQuery
  | AnalyseQuery
  | TerminateQuery
  | ReadGamesQuery
  | WriteGameQuery;
export type QueryWithId = Query & { id: string };

export interface LegalMovesAnswer {
  id: string;
  action: 'legal_moves';
  variant: string;
  fen: string;
  currentPlayer: Side;
  outcome: Outcome | null;
  moves: string[];
}

export interface VersionAnswer {
  id: string;
  action: 'version';
  name: string;
  version: string;
}

export interface PerftAnswer {
  id: string;
  action: 'perft';
  depth: number;
  nodes: number;
  divide: [string, number][];
}

export type Score = { cp: number } | { mate: number };

/** A proven result, from the view of the side to move. */
export interface ProvenResult {
  outcome: 'win' | 'loss' | 'draw';
  plies?: number;
}

/** Win, draw and loss in thousandths. */
export type Wdl = [number, number, number];

/** All values from the view of `currentPlayer`. */
export interface RootInfo {
  currentPlayer: Side;
  fen: string;
  winrate: number;
  wdl: Wdl;
  score: Score;
  result?: ProvenResult;
  visits: number;
  nodes: number;
  depth: number;
  selDepth: number;
  timeMs: number;
  hashFull: number;
  exactHits: number;
}

export interface MoveInfo {
  order: number;
  move: string;
  visits: number;
  prior?: number;
  winrate: number;
  wdl: Wdl;
  score: Score;
  result?: ProvenResult;
  pv: string[];
}

export interface Region {
  owner: Side | 'contested';
  squares: string[];
  empty: number;
  turns: { white: [number, number]; black: [number, number] };
  worth: [number, number];
}

export interface Territory {
  regions: Region[];
  turnsLeft: { white: [number, number]; black: [number, number] };
  margin: number | null;
  winner: Side | null;
}

export interface StoneCount {
  white: number;
  black: number;
  neutral: number;
}

export interface Stones {
  now: StoneCount;
  final: StoneCount;
  expectedMargin: number;
}

export interface AnalyseAnswer {
  id: string;
  turnNumber: number;
  isDuringSearch: boolean;
  rootInfo: RootInfo;
  moveInfos: MoveInfo[];
  /** Squares as in a FEN, from the view of `currentPlayer`. */
  ownership?: (number | null)[];
  /** Turns by which `currentPlayer` will be ahead at the end: with the ownership of the Amazons. */
  lead?: number;
  territory?: Territory;
  stones?: Stones;
}

/** A search that was stopped before it found anything. */
export interface NoResults {
  id: string;
  noResults: true;
}

/** Lines and columns count from 1, games from 0. */
export interface GameWarning {
  game?: number;
  line: number;
  column: number;
  message: string;
}

export interface ReadGamesAnswer {
  id: string;
  action: 'read_games';
  format?: GameFormat;
  total: number;
  games: { number: number; line: number; record: GameRecord }[];
  warnings: GameWarning[];
  /** The game to go on with. */
  next?: number;
}

export interface WriteGameAnswer {
  id: string;
  action: 'write_game';
  format: GameFormat;
  text: string;
}

export interface ErrorAnswer {
  id?: string;
  field?: string;
  error: string;
}

export interface WarningAnswer {
  id?: string;
  field?: string;
  warning: string;
}

export interface TerminateAnswer {
  id: string;
  action: 'terminate';
}

export type Answer =
  | LegalMovesAnswer
  | VersionAnswer
  | PerftAnswer
  | AnalyseAnswer
  | NoResults
  | ErrorAnswer
  | WarningAnswer
  | TerminateAnswer
  | ReadGamesAnswer
  | WriteGameAnswer;

/** Which answer a query gets. */
export type AnswerTo<Q extends Query> = Q extends LegalMovesQuery
  ? LegalMovesAnswer
  : Q extends VersionQuery
    ? VersionAnswer
    : Q extends PerftQuery
      ? PerftAnswer
      : Q extends TerminateQuery
        ? TerminateAnswer
        : Q extends ReadGamesQuery
          ? ReadGamesAnswer
          : Q extends WriteGameQuery
            ? WriteGameAnswer
            : AnalyseAnswer;
