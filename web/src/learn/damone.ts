// Damone, and its two relatives.
import { type Course, lesson, turn } from './lesson';

export const damone: Course = {
  id: 'damone',
  play: 'damone',
  lessons: [
    lesson(
      'damone-pedina',
      'damone',
      '4p3/8/8/3P4/8/8/8/8 w - - 0 1',
      turn('d5c4', { kind: 'to', squares: ['c4'] }),
    ),
    lesson(
      'damone-dama',
      'damone',
      '4p3/8/8/3D4/8/8/8/8 w - - 0 1',
      turn('d5e4', { kind: 'to', squares: ['e4'] }),
    ),
    lesson(
      'damone-capture',
      'damone',
      '4p3/8/8/3p4/2P5/8/8/8 w - - 0 1',
      turn('c4e6', { kind: 'captures', count: 1 }),
    ),
    lesson(
      'damone-ranks',
      'damone',
      '4p3/8/8/3d4/2P1D3/8/8/8 w - - 0 1',
      turn('e4c6', { kind: 'captures', count: 1 }),
    ),
    lesson(
      'damone-chain',
      'damone',
      '8/3p4/8/5p2/8/3p4/2P5/8 w - - 0 1',
      turn('c2e4g6', { kind: 'captures', count: 2 }),
    ),
    lesson(
      'damone-most',
      'damone',
      '4p3/8/8/1p3p2/P7/3p4/2P5/8 w - - 0 1',
      turn('c2e4g6', { kind: 'captures', count: 2 }),
    ),
    lesson(
      'damone-prefer',
      'damone',
      '4p3/8/8/3p4/2P1D3/8/8/8 w - - 0 1',
      turn('e4c6', { kind: 'captures', count: 1 }),
    ),
    lesson(
      'damone-promote',
      'damone',
      '4p3/8/8/1P6/8/8/8/8 w - - 0 1',
      turn('b5a6', { kind: 'leaves', square: 'a6', letter: 'D' }),
    ),
    lesson(
      'damone-crown',
      'damone',
      '8/1D6/4p3/8/8/8/8/8 w - - 0 1',
      turn('b7a8', { kind: 'leaves', square: 'a8', letter: 'I' }),
    ),
    lesson(
      'damone-corner',
      'damone',
      '8/1P6/4p3/8/8/8/8/8 w - - 0 1',
      turn('b7c8', { kind: 'leaves', square: 'c8', letter: 'D' }),
    ),
    lesson('damone-end', 'damone', '8/8/8/3d4/4D3/8/8/8 w - - 0 1', turn('e4c6', { kind: 'wins' })),
    lesson(
      'damone-draw',
      'damone',
      '8/1d6/8/8/8/8/6D1/8 w - - 0 1',
      { ...turn('g2f3', { kind: 'to', squares: ['f3'] }), reply: 'b7c6' },
      { ...turn('f3g2', { kind: 'to', squares: ['g2'] }), reply: 'c6b7' },
      { ...turn('g2f3', { kind: 'to', squares: ['f3'] }), reply: 'b7c6' },
      { ...turn('f3g2', { kind: 'to', squares: ['g2'] }), reply: 'c6b7' },
    ),
  ],
};

export const damoneRelatives: Course = {
  id: 'damone-relatives',
  play: 'damone-imperatore',
  lessons: [
    lesson('damone-three', 'damone-three', null, turn('g4f5', { kind: 'any' })),
    lesson(
      'damone-imperatore',
      'damone-imperatore',
      '8/1p6/4i3/3I4/8/8/6P1/8 w - - 0 1',
      turn('d5f7', { kind: 'wins' }),
    ),
  ],
};
