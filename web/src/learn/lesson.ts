// The shape of lessons. What they say stands in the files of messages, named after them (`words.ts`).
import type { VariantId } from '../games';
import type { Goal } from './goals';

/** The reader plays a turn. */
export interface TurnStep {
  kind: 'turn';
  /** All of them. */
  goals: Goal[];
  /** The move alone is enough; the shot is the matter of a later lesson. */
  moveOnly?: boolean;
  /** A turn that does it: shown on request, and tested. */
  solution: string;
  /** The other side's turn after it. */
  reply?: string;
}

/** The reader plays on against the engine until somebody has won. */
export interface PlayStep {
  kind: 'play';
}

/** The reader says what is so. */
export interface QuestionStep {
  kind: 'question';
  /** How many there are to choose from. */
  answers: number;
  /** The number of the right one, from 0. */
  correct: number;
  /** A fact that the engine must confirm of the position, so that no lesson tells anything untrue. */
  fact:
    | { outcome: 'white' | 'black' | 'draw' }
    | { turnsLeft: { white: number; black: number } }
    | { winner: 'white' | 'black' };
}

export type Step = TurnStep | PlayStep | QuestionStep;

export interface Lesson {
  /** Kept in the browser with what was done: never changes. */
  id: string;
  variant: VariantId;
  /** `null` is the start position. */
  fen: string | null;
  steps: Step[];
}

export interface Course {
  id: string;
  /** The rule set for a first game. */
  play: VariantId;
  lessons: Lesson[];
}

export function lesson(id: string, variant: VariantId, fen: string | null, ...steps: Step[]): Lesson {
  return { id, variant, fen, steps };
}

export function turn(solution: string, ...goals: Goal[]): TurnStep {
  return { kind: 'turn', goals, solution };
}

export function question(answers: number, correct: number, fact: QuestionStep['fact']): QuestionStep {
  return { kind: 'question', answers, correct, fact };
}
