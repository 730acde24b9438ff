// The Game of the Amazons in ten ideas.
import type { Course } from './lesson';

export const amazons: Course = {
  id: 'amazons',
  play: 'amazons6',
  lessons: [
    {
      id: 'amazons-move',
      variant: 'amazons',
      fen: 'q4/5/5/5/Q4 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['d4'] }],
          moveOnly: true,
          solution: 'a1d4,d4d5',
        },
      ],
    },
    {
      id: 'amazons-blocked',
      variant: 'amazons',
      fen: 'q4/5/5/2*2/2Q2 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['e3'] }],
          moveOnly: true,
          solution: 'c1e3,e3e4',
        },
      ],
    },
    {
      id: 'amazons-fire',
      variant: 'amazons',
      fen: '4q/5/5/5/Q4 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'to', squares: ['c3'] },
            { kind: 'fire', squares: ['c5'] },
          ],
          solution: 'a1c3,c3c5',
        },
      ],
    },
    {
      id: 'amazons-behind',
      variant: 'amazons',
      fen: '3q/4/***1/Q1*1 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'any' }],
          solution: 'a1b1,b1a1',
        },
      ],
    },
    {
      id: 'amazons-wall',
      variant: 'amazons',
      fen: '2*2/q1*2/5/2*2/2*1Q w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'fire', squares: ['c3'] }],
          solution: 'e1e3,e3c3',
        },
      ],
    },
    {
      id: 'amazons-end',
      variant: 'amazons',
      fen: 'q*2/1*2/4/3Q w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'wins' }],
          solution: 'd1a1,a1a3',
        },
      ],
    },
    {
      id: 'amazons-count',
      variant: 'amazons',
      fen: 'q1*Q1/2**1/***2/****1/***** w - - 0 1',
      steps: [
        {
          kind: 'question',
          answers: 4,
          correct: 2,
          fact: { turnsLeft: { white: 5, black: 3 } },
        },
      ],
    },
    {
      id: 'amazons-fill',
      variant: 'amazons',
      fen: 'q1*Q1/2**1/***2/****1/***** w - - 0 1',
      steps: [
        {
          kind: 'play',
        },
      ],
    },
    {
      id: 'amazons-tempo',
      variant: 'amazons',
      fen: 'q1*1Q/2*2/*****/*****/***** w - - 0 1',
      steps: [
        {
          kind: 'question',
          answers: 2,
          correct: 1,
          fact: { winner: 'black' },
        },
      ],
    },
    {
      id: 'amazons-defect',
      variant: 'amazons',
      fen: '****q/*Q**1/1*1** w - - 0 1',
      steps: [
        {
          kind: 'question',
          answers: 3,
          correct: 1,
          fact: { turnsLeft: { white: 1, black: 1 } },
        },
      ],
    },
    {
      id: 'amazons-trap',
      variant: 'amazons',
      fen: 'q1*2/2*2/*1*2/5/4Q w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'fire', squares: ['b3'] }],
          solution: 'e1b1,b1b3',
        },
      ],
    },
  ],
};
