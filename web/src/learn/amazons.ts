// The Game of the Amazons in eleven ideas.
import { type Course, lesson, question, turn } from './lesson';

export const amazons: Course = {
  id: 'amazons',
  play: 'amazons6',
  lessons: [
    lesson('amazons-move', 'amazons', 'q4/5/5/5/Q4 w - - 0 1', {
      ...turn('a1d4,d4d5', { kind: 'to', squares: ['d4'] }),
      moveOnly: true,
    }),
    lesson('amazons-blocked', 'amazons', 'q4/5/5/2*2/2Q2 w - - 0 1', {
      ...turn('c1e3,e3e4', { kind: 'to', squares: ['e3'] }),
      moveOnly: true,
    }),
    lesson(
      'amazons-fire',
      'amazons',
      '4q/5/5/5/Q4 w - - 0 1',
      turn('a1c3,c3c5', { kind: 'to', squares: ['c3'] }, { kind: 'fire', squares: ['c5'] }),
    ),
    lesson('amazons-behind', 'amazons', '3q/4/***1/Q1*1 w - - 0 1', turn('a1b1,b1a1', { kind: 'any' })),
    lesson(
      'amazons-wall',
      'amazons',
      '2*2/q1*2/5/2*2/2*1Q w - - 0 1',
      turn('e1e3,e3c3', { kind: 'fire', squares: ['c3'] }),
    ),
    lesson('amazons-end', 'amazons', 'q*2/1*2/4/3Q w - - 0 1', turn('d1a1,a1a3', { kind: 'wins' })),
    lesson(
      'amazons-count',
      'amazons',
      'q1*Q1/2**1/***2/****1/***** w - - 0 1',
      question(4, 2, { turnsLeft: { white: 5, black: 3 } }),
    ),
    lesson('amazons-fill', 'amazons', 'q1*Q1/2**1/***2/****1/***** w - - 0 1', { kind: 'play' }),
    lesson(
      'amazons-tempo',
      'amazons',
      'q1*1Q/2*2/*****/*****/***** w - - 0 1',
      question(2, 1, { winner: 'black' }),
    ),
    lesson(
      'amazons-defect',
      'amazons',
      '****q/*Q**1/1*1** w - - 0 1',
      question(3, 1, { turnsLeft: { white: 1, black: 1 } }),
    ),
    lesson(
      'amazons-trap',
      'amazons',
      'q1*2/2*2/*1*2/5/4Q w - - 0 1',
      turn('e1b1,b1b3', { kind: 'fire', squares: ['b3'] }),
    ),
  ],
};
