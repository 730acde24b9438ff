// The way of every review: search the positions, have the turns judged, search after the best turn where the engine wants
// that to judge by, and have them judged again.

export interface Steps<Position> {
  /** Positions that are not searched yet, and the number of those that are. */
  open: readonly Position[];
  done: number;
  /** How many are searched at a time. */
  lanes: number;
  /** Whether the review was not stopped. */
  goesOn(): boolean;
  /** Searches a position. Gives what keeps the answer: one that was stopped is too little to judge by. */
  search(position: Position): Promise<() => void>;
  /** Has the turns judged. Gives the positions whose best turn is to be searched, too. */
  judge(): Promise<readonly Position[]>;
  searchAfterBest(position: Position): Promise<() => void>;
  /** Is told how many positions were searched, and of how many. */
  report(done: number, all: number): void;
}

export async function review<Position>(steps: Steps<Position>): Promise<void> {
  let { done } = steps;
  let all = done + steps.open.length;
  const searchAll = async (
    positions: readonly Position[],
    search: (one: Position) => Promise<() => void>,
  ) => {
    const waiting = [...positions];
    const lane = async () => {
      for (const position of taken(waiting)) {
        if (!steps.goesOn()) return;
        const keep = await search(position);
        if (!steps.goesOn()) return;
        keep();
        done += 1;
        steps.report(done, all);
      }
    };
    await Promise.all(Array.from({ length: steps.lanes }, lane));
  };
  steps.report(done, all);
  await searchAll(steps.open, (position) => steps.search(position));
  const wanted = await steps.judge();
  if (wanted.length === 0) return;
  all += wanted.length;
  steps.report(done, all);
  await searchAll(wanted, (position) => steps.searchAfterBest(position));
  await steps.judge();
}

/** Takes one after the other off a list that others take from, too. */
function* taken<T>(list: T[]): Generator<T> {
  while (list.length > 0) yield list.shift() as T;
}
