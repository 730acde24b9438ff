// Damone, and its two relatives.
import type { Course } from './lesson';

export const damone: Course = {
  id: 'damone',
  play: 'damone',
  lessons: [
    {
      id: 'damone-pedina',
      variant: 'damone',
      fen: '4p3/8/8/3P4/8/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['c4'] }],
          solution: 'd5c4',
        },
      ],
    },
    {
      id: 'damone-dama',
      variant: 'damone',
      fen: '4p3/8/8/3D4/8/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['e4'] }],
          solution: 'd5e4',
        },
      ],
    },
    {
      id: 'damone-capture',
      variant: 'damone',
      fen: '4p3/8/8/3p4/2P5/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'captures', count: 1 }],
          solution: 'c4e6',
        },
      ],
    },
    {
      id: 'damone-ranks',
      variant: 'damone',
      fen: '4p3/8/8/3d4/2P1D3/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'captures', count: 1 }],
          solution: 'e4c6',
        },
      ],
    },
    {
      id: 'damone-chain',
      variant: 'damone',
      fen: '8/3p4/8/5p2/8/3p4/2P5/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'captures', count: 2 }],
          solution: 'c2e4g6',
        },
      ],
    },
    {
      id: 'damone-most',
      variant: 'damone',
      fen: '4p3/8/8/1p3p2/P7/3p4/2P5/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'captures', count: 2 }],
          solution: 'c2e4g6',
        },
      ],
    },
    {
      id: 'damone-prefer',
      variant: 'damone',
      fen: '4p3/8/8/3p4/2P1D3/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'captures', count: 1 }],
          solution: 'e4c6',
        },
      ],
    },
    {
      id: 'damone-promote',
      variant: 'damone',
      fen: '4p3/8/8/1P6/8/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'leaves', square: 'a6', letter: 'D' }],
          solution: 'b5a6',
        },
      ],
    },
    {
      id: 'damone-crown',
      variant: 'damone',
      fen: '8/1D6/4p3/8/8/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'leaves', square: 'a8', letter: 'I' }],
          solution: 'b7a8',
        },
      ],
    },
    {
      id: 'damone-corner',
      variant: 'damone',
      fen: '8/1P6/4p3/8/8/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'leaves', square: 'c8', letter: 'D' }],
          solution: 'b7c8',
        },
      ],
    },
    {
      id: 'damone-end',
      variant: 'damone',
      fen: '8/8/8/3d4/4D3/8/8/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'wins' }],
          solution: 'e4c6',
        },
      ],
    },
    {
      id: 'damone-draw',
      variant: 'damone',
      fen: '8/1d6/8/8/8/8/6D1/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['f3'] }],
          solution: 'g2f3',
          reply: 'b7c6',
        },
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['g2'] }],
          solution: 'f3g2',
          reply: 'c6b7',
        },
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['f3'] }],
          solution: 'g2f3',
          reply: 'b7c6',
        },
        {
          kind: 'turn',
          goals: [{ kind: 'to', squares: ['g2'] }],
          solution: 'f3g2',
          reply: 'c6b7',
        },
      ],
    },
  ],
};

export const damoneRelatives: Course = {
  id: 'damone-relatives',
  play: 'damone-imperatore',
  lessons: [
    {
      id: 'damone-three',
      variant: 'damone-three',
      fen: null,
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'any' }],
          solution: 'g4f5',
        },
      ],
    },
    {
      id: 'damone-imperatore',
      variant: 'damone-imperatore',
      fen: '8/1p6/4i3/3I4/8/8/6P1/8 w - - 0 1',
      steps: [
        {
          kind: 'turn',
          goals: [{ kind: 'wins' }],
          solution: 'd5f7',
        },
      ],
    },
  ],
};
