// The shape of lessons. Their words are for a reader of twelve: two to four short sentences, one idea each.
import type { VariantId } from '../games';
import type { Goal } from './goals';

/** The reader plays a turn. */
export interface TurnStep {
  kind: 'turn';
  /** What to do, in one sentence. */
  task: string;
  /** All of them. */
  goals: Goal[];
  /** The move alone is enough; the shot is the matter of a later lesson. */
  moveOnly?: boolean;
  right: string;
  /** Why it was not what the task asks for. */
  wrong: string;
  /** A turn that does it: shown on request, and tested. */
  solution: string;
  /** What the other side plays then. */
  reply?: string;
}

/** The reader plays on against the engine until somebody has won. */
export interface PlayStep {
  kind: 'play';
  task: string;
  right: string;
  wrong: string;
}

/** The reader says what is so. */
export interface QuestionStep {
  kind: 'question';
  task: string;
  answers: string[];
  /** The number of the right one, from 0. */
  correct: number;
  right: string;
  wrong: string;
  /** What the engine must say of the position, so that no lesson tells anything untrue. */
  fact:
    | { outcome: 'white' | 'black' | 'draw' }
    | { turnsLeft: { white: number; black: number } }
    | { winner: 'white' | 'black' };
}

export type Step = TurnStep | PlayStep | QuestionStep;

export interface Lesson {
  /** Kept in the browser with what was done: never changes. */
  id: string;
  title: string;
  variant: VariantId;
  /** `null` is the start position. */
  fen: string | null;
  text: string;
  steps: Step[];
}

export interface Course {
  id: string;
  title: string;
  about: string;
  /** The rule set for a first game. */
  play: VariantId;
  lessons: Lesson[];
}
