// Desdemona, and what its relatives do differently.
import type { Course } from './lesson';

const FIRE = '10/10/10/8q1/10/10/10/1Q8/10/10 w - - 0 5';
const ROW = '10/10/10/10/10/1Q1ss5/10/10/10/8q1 w - - 0 5';

export const desdemona: Course = {
  id: 'desdemona',
  play: 'desdemona',
  lessons: [
    {
      id: 'desdemona-first',
      variant: 'desdemona',
      fen: null,
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'any' }],
          solution: 'd1d4',
        },
      ],
    },
    {
      id: 'desdemona-plain',
      variant: 'desdemona',
      fen: FIRE,
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e7', letter: '*' },
          ],
          solution: 'b3e3,e3e7',
        },
      ],
    },
    {
      id: 'desdemona-rim',
      variant: 'desdemona',
      fen: FIRE,
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'fire', squares: ['e9'] },
          ],
          solution: 'b3e3,e3e9',
        },
      ],
    },
    {
      id: 'desdemona-flip',
      variant: 'desdemona',
      fen: ROW,
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'flips', count: 2 }],
          solution: 'b5c5,c5f5',
        },
      ],
    },
    {
      id: 'desdemona-flip-rim',
      variant: 'desdemona',
      fen: '10/4s5/4s5/1Q8/10/10/10/10/10/8q1 w - - 0 5',
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'flips', count: 2 },
            { kind: 'leaves', square: 'e10', letter: 'S' },
          ],
          solution: 'b7e7,e7e10',
        },
      ],
    },
    {
      id: 'desdemona-stop',
      variant: 'desdemona',
      fen: '10/10/10/4*5/4s5/3s1ssS2/10/10/4Q5/q9 w - - 0 5',
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'to', squares: ['e5'] },
            { kind: 'flips', count: 1 },
          ],
          solution: 'e2e5,e5c5',
        },
      ],
    },
    {
      id: 'desdemona-end',
      variant: 'desdemona',
      fen: '***7/*q*4s2/**8/10/10/1S8/2S7/7Q2/10/10 w - - 0 9',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'wins' }],
          solution: 'h3g4,g4c8',
        },
      ],
    },
    {
      id: 'desdemona-stuck',
      variant: 'desdemona',
      fen: '***7/*q*4s2/***4s2/7s2/10/1S8/10/7Q2/10/10 b - - 0 9',
      steps: [
        {
          kind: 'question',
          answers: 3,
          correct: 1,
          fact: { outcome: 'black' },
        },
      ],
    },
  ],
};

export const relatives: Course = {
  id: 'relatives',
  play: 'cassio',
  lessons: [
    {
      id: 'cassio-flip',
      variant: 'cassio',
      fen: ROW,
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'flips', count: 2 }],
          solution: 'b5c5,c5f5',
        },
      ],
    },
    {
      id: 'cassio-rim',
      variant: 'cassio',
      fen: FIRE,
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e10', letter: '*' },
          ],
          solution: 'b3e3,e3e10',
        },
      ],
    },
    {
      id: 'iago-move',
      variant: 'iago',
      fen: '10/10/10/10/10/Q1S1Q5/10/10/10/8q1 w - - 0 5',
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'from', squares: ['a5'] },
            { kind: 'to', squares: ['g5'] },
          ],
          moveOnly: true,
          solution: 'a5g5,g5g6',
        },
      ],
    },
    {
      id: 'iago-flip',
      variant: 'iago',
      fen: '10/10/10/10/10/3ssS4/10/10/1Q8/8q1 w - - 0 5',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'flips', count: 2 }],
          solution: 'b2c2,c2c5',
        },
      ],
    },
    {
      id: 'iago-amazon',
      variant: 'iago',
      fen: '10/10/10/10/10/3ssQ4/10/10/1Q8/8q1 w - - 0 5',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'flips', count: 2 }],
          solution: 'b2c2,c2c5',
        },
      ],
    },
    {
      id: 'early-flip',
      variant: 'desdemona-early',
      fen: ROW,
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'flips', count: 2 }],
          solution: 'b5c5,c5f5',
        },
      ],
    },
    {
      id: 'early-border',
      variant: 'desdemona-early-border',
      fen: FIRE,
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e9', letter: 'S' },
          ],
          solution: 'b3e3,e3e9',
        },
      ],
    },
    {
      id: 'desdemona-site',
      variant: 'desdemona-site',
      fen: FIRE,
      steps: [
        {
          kind: 'turn',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e7', letter: 'S' },
          ],
          solution: 'b3e3,e3e7',
        },
      ],
    },
    {
      id: 'cassio-site',
      variant: 'cassio-site',
      fen: FIRE,
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'leaves', square: 'e10', letter: 'S' }],
          solution: 'b3e3,e3e10',
        },
      ],
    },
  ],
};
