// A problem under way: the position, the turn that was tried, what was right or wrong, and the solution to step through.
// The file says what wins; the engine says what is legal and how the board looks after a turn.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { TurnEntry } from '../board/entry';
import { messageOf, NothingFound } from '../errors';
import { searchAfter, verdictOn } from '../game/judging';
import { trialWords } from '../game/verdicts';
import { gameOf } from '../games';
import { session } from '../host';
import { PositionRun } from '../learn/positionRun';
import { say } from '../live';
import { phrase } from '../messages';
import { sideName, turnSentence, turnWords } from '../names';
import { type LegalMoves, type MoveReviewed, other } from '../protocol';
import type { Square } from '../squares';
import { shortForm, type Turn, TurnIndex } from '../turns';
import { countDay } from './daily';
import { markSolved } from './progress';
import { counts, rate } from './rating';
import { type Mistake, type Problem, type Row, rowsOf } from './suite';

/** Milliseconds before the other side answers. */
const PAUSE = 600;
/** Size of the search for a reply that the file does not hold. */
const REPLY_NODES = 10_000;

export class ProblemRun extends PositionRun {
  /** A wrong turn was played. */
  readonly missed = signal(false);
  /** The squares that a hint shows. */
  readonly hinted = signal<readonly Square[] | null>(null);
  /** The row of the solution on the board, by its place; −1 if it is none. */
  readonly row = signal(0);
  readonly rows: readonly Row[];
  readonly entry: TurnEntry;
  readonly turns: ReadonlySignal<TurnIndex | null>;

  constructor(readonly problem: Problem) {
    super(problem.variant, problem.fen);
    this.rows = rowsOf(problem.solution);
    this.turns = computed(() => {
      const answer = this.answer.value;
      // After a wrong turn, too: what the reply is worth is seen by playing on.
      const mine = answer?.currentPlayer === this.problem.side;
      return answer && mine && !this.finished.value ? new TurnIndex(answer) : null;
    });
    this.entry = new TurnEntry(this.turns, (turn) => void this.play(turn));
    void this.look();
  }

  /** The turns that stand on the board, after the position of the problem. */
  get played(): readonly string[] {
    return this.moves;
  }

  /** Shows the piece of the winning turn, then where it goes. */
  hint(): void {
    const turn = this.turns.peek()?.of(this.problem.turn);
    const [from, to] = turn?.path ?? [];
    if (!turn || from === undefined || to === undefined) return;
    this.entry.clear();
    const second = this.hinted.peek() !== null;
    this.hinted.value = second ? [from, to] : [from];
    const piece = phrase(this.problem.mistake ? 'mine.hintPiece' : 'problems.hintPiece', { from });
    const words = second ? phrase('problems.hintWay', { from, to }) : piece;
    this.tell('note', counts(this.problem) ? `${words} ${phrase('rating.hinted')}` : words);
    rate(this.problem, false);
  }

  again(): void {
    this.moves = [];
    this.missed.value = false;
    this.verdict.value = null;
    this.entry.clear();
    void this.look();
  }

  /** Shows the turn that wins. */
  async reveal(): Promise<void> {
    rate(this.problem, false);
    this.finished.value = true;
    this.missed.value = false;
    this.hinted.value = null;
    this.entry.clear();
    await this.show(0);
    const { turn, mistake } = this.problem;
    this.tell('note', phrase(mistake ? 'mine.told' : 'problems.told', { turn: shortForm(turn) }));
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

  protected override async play(played: Turn): Promise<void> {
    const { problem } = this;
    const turn = played.text;
    const first = this.moves.length === 0;
    this.moves = [...this.moves, turn];
    if (first && problem.mistake) {
      await this.judge(turn, problem.mistake);
      return;
    }
    if (first && turn === problem.turn) {
      this.finish(
        0,
        phrase('problems.right', { turn: shortForm(turn) }),
        phrase('problems.rightSpoken', { turn: turnWords(played) }),
      );
      await this.look();
      return;
    }
    if (first) rate(problem, false);
    const { draws } = gameOf(problem.variant);
    await this.miss(
      first ? phrase(draws ? 'problems.winsNot' : 'problems.loses', { turn: shortForm(turn) }) : '',
      first ? Object.keys(problem.wrong[turn] ?? {})[0] : undefined,
    );
  }

  private finish(row: number, text: string, spoken = text): void {
    const { problem } = this;
    this.finished.value = true;
    markSolved(problem.id);
    countDay(problem);
    rate(problem, true);
    this.row.value = row;
    this.tell('right', text, spoken);
  }

  /** A wrong turn, or one after it, is on the board; `known` is the reply to it, if it is known. */
  private async miss(words: string, known: string | undefined): Promise<void> {
    this.missed.value = true;
    if (words) this.tell('wrong', `${words} ${phrase('problems.look')}`);
    await this.refute(words, known);
  }

  /** In place of a mistake every turn is right that is none: it is judged as in the review. */
  private async judge(turn: string, { before, ...mistake }: Mistake): Promise<void> {
    const { variant, fen, side, wrong, turn: best } = this.problem;
    const here = () => !this.closed && !this.finished.peek() && this.moves.join() === turn;
    const position = { variant, fen };
    const shown = this.look();
    let verdict: Pick<MoveReviewed, 'loss' | 'isBest' | 'kind'> = { ...mistake, isBest: turn === best };
    let reply = Object.keys(wrong[turn] ?? {})[0];
    if (turn !== best && turn !== mistake.turn) {
      this.tell('note', phrase('trial.looking'));
      try {
        const after = await searchAfter(position, turn, before.nodes, (query) => session.analyse(query).done);
        verdict = await verdictOn(position, turn, side, { before, after });
        reply = after.line[0]?.text;
      } catch (error) {
        if (here() && !(error instanceof NothingFound)) this.tell('note', messageOf(error));
        return;
      }
    }
    await shown;
    if (!here()) return;
    const words = trialWords(verdict, mistake.loss);
    if (verdict.isBest || !verdict.kind) this.finish(verdict.isBest ? 0 : -1, words);
    else await this.miss(words, reply);
  }

  /** The other side answers a wrong turn, and every turn after it: by the turn that is known, or by the engine's best. */
  private async refute(words: string, known: string | undefined): Promise<void> {
    const moves = this.moves.join();
    const here = () => !this.closed && this.missed.peek() && this.moves.join() === moves;
    if (await this.isOver()) return;
    const [reply] = await Promise.all([
      known ?? this.bestReply(),
      new Promise((resolve) => setTimeout(resolve, PAUSE)),
    ]);
    if (!reply || !here()) return;
    this.moves = [...this.moves, reply];
    const effects = (await this.look())?.effects;
    this.verdict.value = {
      kind: 'wrong',
      text: `${words} ${phrase('problems.reply', { turn: shortForm(reply) })}`.trim(),
    };
    if (effects) say(turnSentence(effects, other(this.problem.side)));
    this.tellEnd();
  }

  private async bestReply(): Promise<string | undefined> {
    const { variant, fen } = this.problem;
    try {
      const { moveInfos } = await session.analyse({ variant, fen, moves: this.moves, nodes: REPLY_NODES })
        .done;
      return moveInfos[0]?.move;
    } catch (error) {
      if (!this.closed && !(error instanceof NothingFound)) this.tell('note', messageOf(error));
      return undefined;
    }
  }

  private async isOver(): Promise<boolean> {
    await this.look();
    return this.tellEnd();
  }

  /** Says who has won if somebody has. */
  private tellEnd(): boolean {
    const outcome = this.answer.peek()?.outcome ?? null;
    if (outcome === null) return false;
    this.tell(
      'note',
      outcome === 'draw' ? phrase('foot.draw') : phrase('foot.won', { side: sideName[outcome] }),
    );
    return true;
  }
}
