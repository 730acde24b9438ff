// A lesson under way: the position, the step, what was right or wrong. The engine says what is legal.

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { TurnEntry } from '../board/entry';
import { halfTurn } from '../board/half';
import { session } from '../host';
import { say } from '../live';
import { phrase } from '../messages';
import { sideName, turnSentence } from '../names';
import { other, type Side, type TurnInfo } from '../protocol';
import { type Square, squaresIn } from '../squares';
import { type Turn, TurnIndex } from '../turns';
import { fulfils } from './goals';
import type { Lesson, Step } from './lesson';
import { PositionRun, type Verdict } from './positionRun';
import { markDone } from './progress';
import { stepWords } from './words';

/** Milliseconds before the other side answers. */
const PAUSE = 500;
const REPLY_NODES = 400;

export class LessonRun extends PositionRun {
  readonly step = signal(0);
  readonly hinted = signal(false);
  /** The wrong answers given to the question. */
  readonly missed = signal<ReadonlySet<number>>(new Set());
  readonly entry: TurnEntry;
  readonly turns: ReadonlySignal<TurnIndex | null>;
  private readonly busy = signal(false);
  /** Turns at the beginning of the step. */
  private begun = 0;
  private readonly stopWatching: () => void;

  constructor(readonly lesson: Lesson) {
    super(lesson.variant, lesson.fen);
    this.turns = computed(() => {
      const answer = this.answer.value;
      const blocked = this.busy.value || this.finished.value || this.verdict.value?.kind === 'wrong';
      if (!answer || blocked || this.current.kind === 'question') return null;
      return new TurnIndex(answer);
    });
    this.entry = new TurnEntry(this.turns, (turn) => void this.play(turn));
    this.stopWatching = effect(() => this.watchMove(this.entry.path.value));
    void this.look();
  }

  get current(): Step {
    return this.lesson.steps[this.step.value]!;
  }

  /** Words of the step that is under way. */
  private words(part: 'right' | 'wrong'): string {
    return stepWords(this.lesson, this.step.peek(), part);
  }

  /** The side that the reader plays, which moves first. */
  private get side(): Side {
    const now = this.answer.peek()?.currentPlayer ?? 'white';
    return this.moves.length % 2 === 0 ? now : other(now);
  }

  override close(): void {
    super.close();
    this.stopWatching();
  }

  again(): void {
    this.moves = this.moves.slice(0, this.begun);
    this.half.value = null;
    this.entry.clear();
    this.verdict.value = null;
    void this.look();
  }

  restart(): void {
    this.begun = 0;
    this.step.value = 0;
    this.finished.value = false;
    this.hinted.value = false;
    this.missed.value = new Set();
    this.again();
  }

  choose(answer: number): void {
    const step = this.current;
    if (step.kind !== 'question' || this.finished.peek()) return;
    if (answer === step.correct) {
      this.succeed();
    } else {
      this.missed.value = new Set([...this.missed.peek(), answer]);
      this.tell('note', this.words('wrong'));
    }
  }

  override typed(text: string): boolean {
    const step = this.current;
    const path = squaresIn(text).slice(0, 2);
    if (step.kind !== 'turn' || !step.moveOnly || path.length < 2) return super.typed(text);
    if (!this.turns.peek()?.choices([path[0]!]).next.has(path[1]!)) return false;
    this.entry.clear();
    for (const square of path) this.entry.choose(square);
    return true;
  }

  /** Lessons on the move alone are done as soon as it is made. */
  private watchMove(path: readonly Square[]): void {
    const step = this.current;
    const answer = this.answer.peek();
    if (step.kind !== 'turn' || !step.moveOnly || path.length !== 2 || !answer) return;
    const before = this.view.peek();
    if (!before) return;
    const [from, to] = path as [Square, Square];
    const after = { ...before, pieces: halfTurn(before.pieces, path) };
    const turn: TurnInfo = { path: [from, to] };
    const played = { turn, mover: before.side, after, effects: undefined, outcome: null };
    queueMicrotask(() => {
      this.entry.clear();
      this.half.value = { view: after, path: [from, to] };
      if (step.goals.every((goal) => fulfils(goal, played))) this.succeed();
      else this.tell('wrong', this.words('wrong'));
    });
  }

  protected override async play(turn: Turn): Promise<void> {
    const step = this.current;
    const before = this.answer.peek();
    if (!before) return;
    this.verdict.value = null;
    this.busy.value = true;
    this.moves.push(turn.text);
    const after = await this.look();
    this.busy.value = false;
    const view = this.view.peek();
    if (!after || !view) return;
    if (step.kind === 'play') {
      await this.playOn();
    } else if (step.kind === 'turn') {
      const played = {
        turn,
        mover: before.currentPlayer,
        after: view,
        effects: after.effects,
        outcome: after.outcome,
      };
      if (!step.goals.every((goal) => fulfils(goal, played))) {
        this.tell('wrong', this.words('wrong'));
      } else {
        if (step.reply) await this.reply(step.reply, 'right', this.words('right'));
        this.succeed();
      }
    }
  }

  /** Plays the other side's turn, and says it. */
  private async reply(turn: string, kind: Verdict['kind'], words: string): Promise<string> {
    this.busy.value = true;
    this.verdict.value = { kind, text: words };
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const mover = this.answer.peek()?.currentPlayer ?? 'black';
    this.moves.push(turn);
    const effects = (await this.look())?.effects;
    const told = effects ? turnSentence(effects, mover) : turn;
    say(`${words} ${told}`);
    this.busy.value = false;
    return told;
  }

  private async playOn(): Promise<void> {
    const ended = () => {
      const outcome = this.answer.peek()?.outcome ?? null;
      if (outcome === null) return false;
      if (outcome === this.side) this.succeed();
      else this.tell('wrong', this.words('wrong'));
      return true;
    };
    if (ended()) return;
    const { variant, fen } = this.lesson;
    const moves = [...this.moves];
    this.busy.value = true;
    const position = { variant, ...(fen === null ? {} : { fen }), moves };
    const { moveInfos } = await session.analyse({ ...position, nodes: REPLY_NODES }).done;
    if (this.closed || moves.join() !== this.moves.join()) return;
    const turn = moveInfos[0]?.move;
    if (turn) {
      const mover = other(this.side);
      const text = await this.reply(turn, 'note', phrase('learn.answers', { side: sideName[mover] }));
      this.verdict.value = { kind: 'note', text };
    }
    ended();
  }

  private succeed(): void {
    const words = this.words('right');
    const next = this.step.peek() + 1;
    this.begun = this.moves.length;
    this.hinted.value = false;
    if (next < this.lesson.steps.length) {
      this.step.value = next;
      this.tell('right', words);
    } else {
      this.finished.value = true;
      markDone(this.lesson.id);
      this.tell('right', words);
    }
  }
}
