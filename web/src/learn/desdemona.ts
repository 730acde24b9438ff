// Desdemona, and what its relatives do differently.
import { type Course, lesson, question, turn } from './lesson';

const FIRE = '10/10/10/8q1/10/10/10/1Q8/10/10 w - - 0 5';
const ROW = '10/10/10/10/10/1Q1ss5/10/10/10/8q1 w - - 0 5';

export const desdemona: Course = {
  id: 'desdemona',
  play: 'desdemona',
  lessons: [
    lesson('desdemona-first', 'desdemona', null, turn('d1d4', { kind: 'any' })),
    lesson(
      'desdemona-plain',
      'desdemona',
      FIRE,
      turn('b3e3,e3e7', { kind: 'to', squares: ['e3'] }, { kind: 'leaves', square: 'e7', letter: '*' }),
    ),
    lesson(
      'desdemona-rim',
      'desdemona',
      FIRE,
      turn('b3e3,e3e9', { kind: 'to', squares: ['e3'] }, { kind: 'fire', squares: ['e9'] }),
    ),
    lesson('desdemona-flip', 'desdemona', ROW, turn('b5c5,c5f5', { kind: 'flips', count: 2 })),
    lesson(
      'desdemona-flip-rim',
      'desdemona',
      '10/4s5/4s5/1Q8/10/10/10/10/10/8q1 w - - 0 5',
      turn('b7e7,e7e10', { kind: 'flips', count: 2 }, { kind: 'leaves', square: 'e10', letter: 'S' }),
    ),
    lesson(
      'desdemona-stop',
      'desdemona',
      '10/10/10/4*5/4s5/3s1ssS2/10/10/4Q5/q9 w - - 0 5',
      turn('e2e5,e5c5', { kind: 'to', squares: ['e5'] }, { kind: 'flips', count: 1 }),
    ),
    lesson(
      'desdemona-end',
      'desdemona',
      '***7/*q*4s2/**8/10/10/1S8/2S7/7Q2/10/10 w - - 0 9',
      turn('h3g4,g4c8', { kind: 'wins' }),
    ),
    lesson(
      'desdemona-stuck',
      'desdemona',
      '***7/*q*4s2/***4s2/7s2/10/1S8/10/7Q2/10/10 b - - 0 9',
      question(3, 1, { outcome: 'black' }),
    ),
  ],
};

export const relatives: Course = {
  id: 'relatives',
  play: 'cassio',
  lessons: [
    lesson('cassio-flip', 'cassio', ROW, turn('b5c5,c5f5', { kind: 'flips', count: 2 })),
    lesson(
      'cassio-rim',
      'cassio',
      FIRE,
      turn('b3e3,e3e10', { kind: 'to', squares: ['e3'] }, { kind: 'leaves', square: 'e10', letter: '*' }),
    ),
    lesson('iago-move', 'iago', '10/10/10/10/10/Q1S1Q5/10/10/10/8q1 w - - 0 5', {
      ...turn('a5g5,g5g6', { kind: 'from', squares: ['a5'] }, { kind: 'to', squares: ['g5'] }),
      moveOnly: true,
    }),
    lesson(
      'iago-flip',
      'iago',
      '10/10/10/10/10/3ssS4/10/10/1Q8/8q1 w - - 0 5',
      turn('b2c2,c2c5', { kind: 'flips', count: 2 }),
    ),
    lesson(
      'iago-amazon',
      'iago',
      '10/10/10/10/10/3ssQ4/10/10/1Q8/8q1 w - - 0 5',
      turn('b2c2,c2c5', { kind: 'flips', count: 2 }),
    ),
    lesson('early-flip', 'desdemona-early', ROW, turn('b5c5,c5f5', { kind: 'flips', count: 2 })),
    lesson(
      'early-border',
      'desdemona-early-border',
      FIRE,
      turn('b3e3,e3e9', { kind: 'to', squares: ['e3'] }, { kind: 'leaves', square: 'e9', letter: 'S' }),
    ),
    lesson(
      'desdemona-site',
      'desdemona-site',
      FIRE,
      turn('b3e3,e3e7', { kind: 'to', squares: ['e3'] }, { kind: 'leaves', square: 'e7', letter: 'S' }),
    ),
    lesson(
      'cassio-site',
      'cassio-site',
      FIRE,
      turn('b3e3,e3e10', { kind: 'leaves', square: 'e10', letter: 'S' }),
    ),
  ],
};
