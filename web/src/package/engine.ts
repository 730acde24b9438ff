// The engine for other sites and for Node: questions and answers as promises, the work in workers.

import { NothingFound, QueryError } from '../errors';
import type { Files } from '../host/engine.worker';
import { type Search, Session } from '../host/session';
import { type Platform, WorkerHost } from '../host/worker';
import type { AnalyseQuery, Analysis, AnswerTo, PositionFields, PositionQuery, Query } from '../protocol';
import { review as inSteps } from '../review/steps';
import { type Turn, TurnIndex } from '../turns';

export type * from '../schema';
export { NothingFound, QueryError };

type Reviewed = AnswerTo<Extract<Query, { action: 'review' }>>;

export interface EngineOptions {
  /** The folder with the engine's files, if they are not those of the package. */
  folder?: string | URL;
}

export interface AnalyseOptions {
  /** Ends the search: the answer is what was found so far, `NothingFound` if that is nothing. */
  signal?: AbortSignal;
  /** Is told what was found so far, several times a second. */
  onInterim?: (found: Analysis) => void;
}

export interface ReviewOptions {
  /** Positions evaluated for each position of the game; 20,000 if left out. */
  nodes?: number;
  /** Ends the review with the signal's reason. */
  signal?: AbortSignal;
  /** Is told how many positions were searched, and of how many; these grow where turns must be looked at again. */
  onProgress?: (done: number, all: number) => void;
}

/** A position with its legal turns, as `<hippolyta-board>` takes it. */
export interface BoardPosition {
  variant: string;
  fen: string;
  turns: readonly Turn[];
  /** The turn that led to the position; empty at the start. */
  last: string;
}

/** The engine. Searches are done one after another, what needs no search at once. */
export interface Engine {
  /** Searches a position. Rejects with `QueryError`, which says what is wrong with the query, or `NothingFound`. */
  analyse(query: AnalyseQuery, options?: AnalyseOptions): Promise<Analysis>;
  /** The legal turns of a position with their squares, as `<hippolyta-board>` takes them. */
  legalTurns(game: PositionQuery): Promise<readonly Turn[]>;
  /** A position as `<hippolyta-board>` takes it: for `Object.assign(board, await engine.position(game))`. */
  position(game: PositionQuery): Promise<BoardPosition>;
  /** Searches every position of a game and judges its turns. */
  review(game: PositionQuery, options?: ReviewOptions): Promise<Reviewed>;
  /** Any query of the JSON lines but `analyse`. */
  ask<Q extends Exclude<Query, AnalyseQuery>>(query: Q): Promise<AnswerTo<Q>>;
  /** The version of the engine. */
  version(): Promise<string>;
  /** Ends the workers. What is still asked, or is asked later, rejects. */
  close(): void;
}

const REVIEW_NODES = 20_000;

/**
 * Starts an engine; rejects with a sentence that names the file if it cannot be loaded.
 *
 * @internal
 */
export async function startEngine(folder: string, platform: Platform, files: Files = {}): Promise<Engine> {
  const host = new WorkerHost(folder, platform, files);
  const session = new Session(host, false);
  await new Promise<void>((resolve, reject) => {
    session.state.subscribe((state) => {
      if (state === 'ready') resolve();
      if (state === 'gone') reject(new Error(session.reason.peek() || 'The engine cannot be started.'));
    });
    session.start();
  }).catch((error: unknown) => {
    session.close();
    throw error;
  });

  const analyse = async (
    query: AnalyseQuery,
    { signal, onInterim }: AnalyseOptions = {},
  ): Promise<Analysis> => {
    if (signal?.aborted) throw new NothingFound();
    const search: Search = session.analyse(query, onInterim);
    const stop = () => search.stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await search.done;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };

  const review = async (game: PositionQuery, options: ReviewOptions = {}): Promise<Reviewed> => {
    const { nodes = REVIEW_NODES, signal, onProgress } = options;
    const { moves = [], ...start } = game;
    const search = async (played: readonly string[]): Promise<PositionFields> => {
      const found = await analyse({ ...start, moves: [...played], nodes }, signal ? { signal } : {});
      signal?.throwIfAborted();
      const { winrate, result } = found.rootInfo;
      return { winrate, line: found.moveInfos[0]?.pv ?? [], ...(result ? { result } : {}) };
    };
    const positions: PositionFields[] = [];
    let judged: Reviewed | undefined;
    await inSteps({
      open: [...moves.keys(), moves.length],
      done: 0,
      lanes: 1,
      goesOn: () => true,
      async search(ply) {
        const found = await search(moves.slice(0, ply));
        return () => {
          positions[ply] = found;
        };
      },
      async judge() {
        judged = await session.ask({ ...game, action: 'review', positions });
        return judged.moves.filter((move) => move.wanted).map((move) => move.turnNumber);
      },
      async searchAfterBest(ply) {
        const best = positions[ply]?.line?.[0];
        const afterBest = best === undefined ? undefined : await search([...moves.slice(0, ply), best]);
        return () => {
          if (afterBest) positions[ply] = { ...positions[ply]!, afterBest };
        };
      },
      report: (done, all) => onProgress?.(done, all),
    });
    return judged as Reviewed;
  };

  const legalMoves = (game: PositionQuery) =>
    session.ask({ ...game, action: 'legal_moves', includeTurns: true });

  return {
    analyse,
    review,
    legalTurns: async (game) => new TurnIndex(await legalMoves(game)).turns,
    async position(game) {
      const legal = await legalMoves(game);
      const { variant, fen } = legal;
      return { variant, fen, turns: new TurnIndex(legal).turns, last: game.moves?.at(-1) ?? '' };
    },
    ask: (query) => session.ask(query),
    version: async () => (await session.ask({ action: 'version' })).version,
    close: () => session.close(),
  };
}
