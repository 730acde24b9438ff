// A problem under way: the position, the turn that was tried, what was right or wrong, and the solution to step through.
// The file says what wins; the engine says what is legal and how the board looks after a turn.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { TurnEntry } from '../board/entry';
import { messageOf } from '../errors';
import { type BoardView, readFen, type Square } from '../fen';
import { gameOf } from '../games';
import { NothingFound } from '../host/session';
import { PositionRun } from '../learn/positionRun';
import { say } from '../live';
import { turnSentence, turnWords } from '../names';
import { type LegalMoves, other } from '../protocol';
import { squaresOfTurn, TurnIndex } from '../turns';
import { markSolved } from './progress';
import { type Problem, type Row, rowsOf } from './suite';

export interface Verdict {
  kind: 'right' | 'wrong' | 'note';
  text: string;
}

/** Milliseconds before the other side answers. */
const PAUSE = 600;

export class ProblemRun extends PositionRun {
  readonly verdict = signal<Verdict | null>(null);
  /** The turn was found, or shown. */
  readonly finished = signal(false);
  /** A wrong turn was played: try again comes first. */
  readonly missed = signal(false);
  /** The last turn's squares. */
  readonly last = signal<readonly Square[]>([]);
  /** The row of the solution on the board, by its place. */
  readonly row = signal(0);
  readonly rows: readonly Row[];
  readonly entry: TurnEntry;
  readonly view: ReadonlySignal<BoardView>;
  readonly turns: ReadonlySignal<TurnIndex | null>;

  constructor(readonly problem: Problem) {
    super(problem.variant, problem.fen);
    this.rows = rowsOf(problem.solution);
    this.view = computed(() => readFen(this.answer.value?.fen ?? problem.fen));
    this.turns = computed(() => {
      const answer = this.answer.value;
      return answer && !this.finished.value && !this.missed.value ? new TurnIndex(answer.moves) : null;
    });
    this.entry = new TurnEntry(this.turns, (turn) => void this.play(turn));
    void this.look();
  }

  again(): void {
    this.moves = [];
    this.last.value = [];
    this.missed.value = false;
    this.verdict.value = null;
    this.entry.clear();
    void this.look();
  }

  /** A turn as text. Says whether it is legal here. */
  typed(text: string): boolean {
    const turn = this.turns.peek()?.find(text) ?? null;
    if (turn === null) return false;
    this.entry.clear();
    void this.play(turn);
    return true;
  }

  /** Shows the turn that wins. */
  async reveal(): Promise<void> {
    this.finished.value = true;
    this.missed.value = false;
    this.entry.clear();
    await this.show(0);
    this.tell('note', `The turn that wins is ${this.problem.turn}.`);
  }

  /** Puts a row of the solution on the board. */
  async show(row: number): Promise<void> {
    const path = this.rows[row]?.path;
    if (!path) return;
    this.row.value = row;
    this.moves = [...path];
    this.last.value = squaresOfTurn(path.at(-1) ?? '');
    await this.look();
  }

  protected override async look(): Promise<LegalMoves | null> {
    try {
      return await super.look();
    } catch (error) {
      if (!this.closed && !(error instanceof NothingFound)) this.tell('note', messageOf(error));
      return null;
    }
  }

  private async play(turn: string): Promise<void> {
    const { problem } = this;
    this.moves = [turn];
    this.last.value = squaresOfTurn(turn);
    if (turn === problem.turn) {
      this.finished.value = true;
      markSolved(problem.id);
      this.row.value = 0;
      this.tell('right', `Right: ${turn} is the one turn that wins.`);
      await this.look();
      return;
    }
    this.missed.value = true;
    const reply = Object.keys(problem.wrong[turn] ?? {})[0];
    const ends = gameOf(problem.variant).draws ? 'does not win' : 'loses';
    const words = `${turn} ${ends}.`;
    this.tell('wrong', reply ? `${words} Look at the reply.` : `${words} One other turn wins.`);
    await this.look();
    if (!reply) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (this.closed || !this.missed.peek() || this.moves.join() !== turn) return;
    this.moves = [turn, reply];
    this.last.value = squaresOfTurn(reply);
    await this.look();
    const rules = gameOf(problem.variant);
    this.verdict.value = { kind: 'wrong', text: `${words} ${reply} is the reply.` };
    say(turnSentence(reply, other(problem.side), rules));
  }

  private tell(kind: Verdict['kind'], text: string): void {
    this.verdict.value = { kind, text };
    const rules = gameOf(this.variant);
    say(
      kind === 'right'
        ? `Right: ${turnWords(this.problem.turn, rules)}. It is the one turn that wins.`
        : text,
    );
  }
}
