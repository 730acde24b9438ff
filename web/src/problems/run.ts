// A problem under way: the position, the turn that was tried, what was right or wrong, and the solution to step through.
// The file says what wins; the engine says what is legal and how the board looks after a turn.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { TurnEntry } from '../board/entry';
import { messageOf } from '../errors';
import { gameOf } from '../games';
import { NothingFound } from '../host/session';
import { PositionRun } from '../learn/positionRun';
import { say } from '../live';
import { turnSentence, turnWords } from '../names';
import { type LegalMoves, other } from '../protocol';
import { type Turn, TurnIndex } from '../turns';
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
  /** The row of the solution on the board, by its place. */
  readonly row = signal(0);
  readonly rows: readonly Row[];
  readonly entry: TurnEntry;
  readonly turns: ReadonlySignal<TurnIndex | null>;

  constructor(readonly problem: Problem) {
    super(problem.variant, problem.fen);
    this.rows = rowsOf(problem.solution);
    this.turns = computed(() => {
      const answer = this.answer.value;
      return answer && !this.finished.value && !this.missed.value ? new TurnIndex(answer) : null;
    });
    this.entry = new TurnEntry(this.turns, (turn) => void this.play(turn));
    void this.look();
  }

  again(): void {
    this.moves = [];
    this.missed.value = false;
    this.verdict.value = null;
    this.entry.clear();
    void this.look();
  }

  /** A turn as text. Says whether it is legal here. */
  typed(text: string): boolean {
    const turn = this.turns.peek()?.find(text) ?? null;
    if (!turn) return false;
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

  private async play(played: Turn): Promise<void> {
    const { problem } = this;
    const turn = played.text;
    this.moves = [turn];
    if (turn === problem.turn) {
      this.finished.value = true;
      markSolved(problem.id);
      this.row.value = 0;
      this.tell(
        'right',
        `Right: ${turn} is the one turn that wins.`,
        `Right: ${turnWords(played)}. It is the one turn that wins.`,
      );
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
    const effects = (await this.look())?.effects;
    this.verdict.value = { kind: 'wrong', text: `${words} ${reply} is the reply.` };
    if (effects) say(turnSentence(effects, other(problem.side)));
  }

  private tell(kind: Verdict['kind'], text: string, spoken = text): void {
    this.verdict.value = { kind, text };
    say(spoken);
  }
}
