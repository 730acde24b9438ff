// Desdemona, and what its relatives do differently.
import type { Course } from './lesson';

const FIRE = '10/10/10/8q1/10/10/10/1Q8/10/10 w - - 0 5';
const ROW = '10/10/10/10/10/1Q1ss5/10/10/10/8q1 w - - 0 5';

export const desdemona: Course = {
  id: 'desdemona',
  title: 'Desdemona',
  about: 'Amazons that shoot stones, and stones that change sides.',
  play: 'desdemona',
  lessons: [
    {
      id: 'desdemona-first',
      title: 'The first turn',
      variant: 'desdemona',
      fen: null,
      text: 'Each side has four amazons, which move like queens in chess, and two stones in the middle. White’s very first turn is a move without a shot. Every turn after that is a move and a shot.',
      steps: [
        {
          kind: 'turn',
          task: 'Play White’s first turn: move any amazon.',
          goals: [{ kind: 'any' }],
          right: 'Now it is Black’s turn, to move and to shoot.',
          wrong: '',
          solution: 'd1d4',
        },
      ],
    },
    {
      id: 'desdemona-plain',
      title: 'The plain shot',
      variant: 'desdemona',
      fen: FIRE,
      text: 'After her move the amazon shoots along a free straight line. A plain shot leaves a neutral stone, which belongs to nobody. It stays for good and blocks the way for all.',
      steps: [
        {
          kind: 'turn',
          task: 'Move to e3 and shoot at e7.',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e7', letter: '*' },
          ],
          right: 'A neutral stone lies on e7.',
          wrong: 'Go along the row to e3 first. From there e7 lies straight ahead.',
          solution: 'b3e3,e3e7',
        },
      ],
    },
    {
      id: 'desdemona-rim',
      title: 'The rim rule',
      variant: 'desdemona',
      fen: FIRE,
      text: 'The rim is the outermost ring of squares. Amazons may stand on it, but a plain shot may not land there.',
      steps: [
        {
          kind: 'turn',
          task: 'Move to e3 and shoot straight up as far as the rule allows.',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'fire', squares: ['e9'] },
          ],
          right: 'Right: e9 is the last square before the rim.',
          wrong: 'Move to e3, then look up the file: e10 is on the rim, so the shot must stop before it.',
          solution: 'b3e3,e3e9',
        },
      ],
    },
    {
      id: 'desdemona-flip',
      title: 'The flip shot',
      variant: 'desdemona',
      fen: ROW,
      text: 'If an enemy stone stands right beside the amazon, she may shoot over it, and over all enemy stones in a row behind it. The shot lands on the first square after them and leaves a stone of her colour. The row changes to her colour too.',
      steps: [
        {
          kind: 'turn',
          task: 'Turn both black stones white.',
          goals: [{ kind: 'flips', count: 2 }],
          right: 'Both stones are White’s now, and so is the new one behind them.',
          wrong: 'Stand right beside the row, on c5 or f5, and shoot along it.',
          solution: 'b5c5,c5f5',
        },
      ],
    },
    {
      id: 'desdemona-flip-rim',
      title: 'Flips may land on the rim',
      variant: 'desdemona',
      fen: '10/4s5/4s5/1Q8/10/10/10/10/10/8q1 w - - 0 5',
      text: 'The rim rule is only for plain shots. A flip shot may land on the rim, and stones there are hard to get at.',
      steps: [
        {
          kind: 'turn',
          task: 'Flip the two stones with a shot that lands on e10.',
          goals: [
            { kind: 'flips', count: 2 },
            { kind: 'leaves', square: 'e10', letter: 'S' },
          ],
          right: 'Three white stones, and one of them on the rim.',
          wrong: 'Stand right below the stones, on e7, and shoot up over both of them.',
          solution: 'b7e7,e7e10',
        },
      ],
    },
    {
      id: 'desdemona-stop',
      title: 'What stops a flip',
      variant: 'desdemona',
      fen: '10/10/10/4*5/4s5/3s1ssS2/10/10/4Q5/q9 w - - 0 5',
      text: 'The square behind the row must be empty. If your own stone, a neutral stone, an amazon or the edge comes there, the row cannot be flipped from that side. Neutral stones never change.',
      steps: [
        {
          kind: 'turn',
          task: 'Go to e5. Three rows begin beside it, and only one can be flipped: flip it.',
          goals: [
            { kind: 'to', squares: ['e5'] },
            { kind: 'flips', count: 1 },
          ],
          right:
            'Yes. Behind d5 the square c5 was empty. Behind the others stood a neutral stone and a white one.',
          wrong: 'Go to e5 and look behind each row: which one has an empty square at its end?',
          solution: 'e2e5,e5c5',
        },
      ],
    },
    {
      id: 'desdemona-end',
      title: 'Who wins',
      variant: 'desdemona',
      fen: '***7/*q*4s2/**8/10/10/1S8/2S7/7Q2/10/10 w - - 0 9',
      text: 'The game is over when the side to move has no turn. Then the stones are counted: whoever has more of the own colour wins. Amazons and neutral stones do not count, and equal numbers are a draw.',
      steps: [
        {
          kind: 'turn',
          task: 'White has two stones, Black has one. Leave Black without a turn.',
          goals: [{ kind: 'wins' }],
          right: 'Black has no turn, and two stones are more than one. White has won.',
          wrong: 'Black’s amazon on b9 can still leave over c8. Close that square.',
          solution: 'h3g4,g4c8',
        },
      ],
    },
    {
      id: 'desdemona-stuck',
      title: 'Stuck, and yet the winner',
      variant: 'desdemona',
      fen: '***7/*q*4s2/***4s2/7s2/10/1S8/10/7Q2/10/10 b - - 0 9',
      text: 'Black is to move and has no turn. That alone does not lose the game.',
      steps: [
        {
          kind: 'question',
          task: 'Who has won?',
          answers: ['White', 'Black', 'It is a draw'],
          correct: 1,
          right: 'Black: three stones against one. Before you lock the enemy up, count.',
          wrong: 'Count the stones: the neutral ones and the amazons do not matter.',
          fact: { outcome: 'black' },
        },
      ],
    },
  ],
};

export const relatives: Course = {
  id: 'relatives',
  title: 'Cassio, Iago and other rules',
  about: 'The same board and the same amazons: each lesson shows what is different.',
  play: 'cassio',
  lessons: [
    {
      id: 'cassio-flip',
      title: 'Cassio: all shots are neutral',
      variant: 'cassio',
      fen: ROW,
      text: 'In Cassio every shot leaves a neutral stone, a flip shot as well. New stones of your colour come only from turning the enemy’s.',
      steps: [
        {
          kind: 'turn',
          task: 'Turn both black stones, and look at what the shot leaves behind them.',
          goals: [{ kind: 'flips', count: 2 }],
          right: 'Two stones changed sides, and the shot itself left a neutral one.',
          wrong: 'Stand right beside the row, on c5 or f5, and shoot along it.',
          solution: 'b5c5,c5f5',
        },
      ],
    },
    {
      id: 'cassio-rim',
      title: 'Cassio: no rim rule',
      variant: 'cassio',
      fen: FIRE,
      text: 'In Cassio a plain shot may land anywhere, on the rim too.',
      steps: [
        {
          kind: 'turn',
          task: 'Move to e3 and shoot at e10.',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e10', letter: '*' },
          ],
          right: 'In Desdemona this shot would not be allowed.',
          wrong: 'From e3 the file is free all the way up to e10.',
          solution: 'b3e3,e3e10',
        },
      ],
    },
    {
      id: 'iago-move',
      title: 'Iago: over your own pieces',
      variant: 'iago',
      fen: '10/10/10/10/10/Q1S1Q5/10/10/10/8q1 w - - 0 5',
      text: 'In Iago an amazon passes over stones and amazons of her own side as if they were not there. She cannot stop on them, and enemy or neutral pieces still block her.',
      steps: [
        {
          kind: 'turn',
          task: 'Bring the amazon on a5 to g5.',
          goals: [
            { kind: 'from', squares: ['a5'] },
            { kind: 'to', squares: ['g5'] },
          ],
          moveOnly: true,
          right: 'Over a stone and an amazon in one go.',
          wrong: 'Take the amazon on a5 and go along the row to g5.',
          solution: 'a5g5,g5g6',
        },
      ],
    },
    {
      id: 'iago-flip',
      title: 'Iago: enclosing',
      variant: 'iago',
      fen: '10/10/10/10/10/3ssS4/10/10/1Q8/8q1 w - - 0 5',
      text: 'In Iago every shot is a plain one and leaves a stone of your colour, as in Othello. Enemy stones in a straight row between the new stone and another piece of yours change to your colour.',
      steps: [
        {
          kind: 'turn',
          task: 'Enclose the two black stones.',
          goals: [{ kind: 'flips', count: 2 }],
          right: 'Between c5 and f5 all is White’s now.',
          wrong: 'The new stone must land on c5, so that the black ones stand between two white ones.',
          solution: 'b2c2,c2c5',
        },
      ],
    },
    {
      id: 'iago-amazon',
      title: 'Iago: amazons enclose too',
      variant: 'iago',
      fen: '10/10/10/10/10/3ssQ4/10/10/1Q8/8q1 w - - 0 5',
      text: 'The piece at the other end may be an amazon of yours. Many directions can flip with one shot. Stones that were just turned turn no others.',
      steps: [
        {
          kind: 'turn',
          task: 'Enclose the two black stones between a new stone and an amazon.',
          goals: [{ kind: 'flips', count: 2 }],
          right: 'The amazon held the other end of the row.',
          wrong: 'Leave an amazon at one end of the row and shoot a stone to the other end.',
          solution: 'b2c2,c2c5',
        },
      ],
    },
    {
      id: 'early-flip',
      title: 'Early rules: the other way round',
      variant: 'desdemona-early',
      fen: ROW,
      text: 'In the first version of the rules the board begins without stones. A plain shot leaves a stone of your colour, anywhere. A flip shot leaves a neutral one.',
      steps: [
        {
          kind: 'turn',
          task: 'Turn both black stones with a flip shot.',
          goals: [{ kind: 'flips', count: 2 }],
          right: 'The row is White’s, and a neutral stone lies behind it.',
          wrong: 'Stand right beside the row, on c5 or f5, and shoot along it.',
          solution: 'b5c5,c5f5',
        },
      ],
    },
    {
      id: 'early-border',
      title: 'Early rules with border',
      variant: 'desdemona-early-border',
      fen: FIRE,
      text: 'Here every shot leaves a stone of your colour, a flip shot as well. The rim rule holds: a plain shot may not land on the rim.',
      steps: [
        {
          kind: 'turn',
          task: 'Move to e3 and shoot straight up as far as the rule allows.',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e9', letter: 'S' },
          ],
          right: 'A white stone on e9: as far as a plain shot goes here.',
          wrong: 'Move to e3, then look up the file: e10 is on the rim, so the shot must stop before it.',
          solution: 'b3e3,e3e9',
        },
      ],
    },
    {
      id: 'desdemona-site',
      title: 'Desdemona on the web site',
      variant: 'desdemona-site',
      fen: FIRE,
      text: 'The authors’ web site plays a little differently from their text: a plain shot leaves a stone of your own colour. The rim rule holds, and flip shots are as in Desdemona.',
      steps: [
        {
          kind: 'turn',
          task: 'Move to e3 and shoot at e7.',
          goals: [
            { kind: 'to', squares: ['e3'] },
            { kind: 'leaves', square: 'e7', letter: 'S' },
          ],
          right: 'A white stone, where Desdemona’s text would have a neutral one.',
          wrong: 'Go along the row to e3 first. From there e7 lies straight ahead.',
          solution: 'b3e3,e3e7',
        },
      ],
    },
    {
      id: 'cassio-site',
      title: 'Cassio on the web site',
      variant: 'cassio-site',
      fen: FIRE,
      text: 'On the web site a plain shot leaves your own stone in Cassio as well, and only a flip shot leaves a neutral one. There is no rim rule.',
      steps: [
        {
          kind: 'turn',
          task: 'Put a white stone on e10.',
          goals: [{ kind: 'leaves', square: 'e10', letter: 'S' }],
          right: 'A stone of your own on the rim, with a plain shot.',
          wrong: 'Move to e3, for one: from there the file is free up to e10.',
          solution: 'b3e3,e3e10',
        },
      ],
    },
  ],
};
