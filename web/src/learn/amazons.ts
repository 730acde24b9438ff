// The Game of the Amazons in ten ideas.
import type { Course } from './lesson';

export const amazons: Course = {
  id: 'amazons',
  title: 'Game of the Amazons',
  about: 'Queens that shoot, and a board that grows smaller with every turn.',
  play: 'amazons6',
  lessons: [
    {
      id: 'amazons-move',
      title: 'How an amazon moves',
      variant: 'amazons',
      fen: 'q4/5/5/5/Q4 w - - 0 1',
      text: 'An amazon moves like the queen in chess. She goes as far as she likes in a straight line: up, down, sideways or diagonally. Click her, then click where she is to go.',
      steps: [
        {
          kind: 'turn',
          task: 'Put the white amazon on d4.',
          goals: [{ kind: 'to', squares: ['d4'] }],
          moveOnly: true,
          right: 'Yes. From a1 to d4 is a straight line, a diagonal one.',
          wrong: 'She can go there, but d4 is the goal. It lies on her diagonal.',
          solution: 'a1d4,d4d5',
        },
      ],
    },
    {
      id: 'amazons-blocked',
      title: 'Nobody jumps',
      variant: 'amazons',
      fen: 'q4/5/5/2*2/2Q2 w - - 0 1',
      text: 'Amazons never jump. An arrow, or another amazon of either side, stands in the way. There is no capturing in this game.',
      steps: [
        {
          kind: 'turn',
          task: 'The arrow on c2 is in the way. Go past it to e3.',
          goals: [{ kind: 'to', squares: ['e3'] }],
          moveOnly: true,
          right: 'Right. The diagonal over d2 was free.',
          wrong: 'That is a legal move, but the goal is e3. Look along the diagonal to the right.',
          solution: 'c1e3,e3e4',
        },
      ],
    },
    {
      id: 'amazons-fire',
      title: 'Move, then shoot',
      variant: 'amazons',
      fen: '4q/5/5/5/Q4 w - - 0 1',
      text: 'A turn has two parts. The amazon moves, and then the same amazon shoots an arrow, again along any straight line. The arrow stays where it lands for the rest of the game, and nobody can enter or cross that square.',
      steps: [
        {
          kind: 'turn',
          task: 'Move to c3, then shoot at c5.',
          goals: [
            { kind: 'to', squares: ['c3'] },
            { kind: 'fire', squares: ['c5'] },
          ],
          right: 'That is a whole turn: a move and an arrow.',
          wrong: 'Almost. The amazon goes to c3 and the arrow flies from there to c5.',
          solution: 'a1c3,c3c5',
        },
      ],
    },
    {
      id: 'amazons-behind',
      title: 'The square she left',
      variant: 'amazons',
      fen: '3q/4/***1/Q1*1 w - - 0 1',
      text: 'When she shoots, the square she came from is already empty. The arrow may land on it or fly over it.',
      steps: [
        {
          kind: 'turn',
          task: 'White has only one turn here. Find it.',
          goals: [{ kind: 'any' }],
          right: 'Yes: over to b1, and back goes the arrow to a1.',
          wrong: '',
          solution: 'a1b1,b1a1',
        },
      ],
    },
    {
      id: 'amazons-wall',
      title: 'An arrow closes a way',
      variant: 'amazons',
      fen: '2*2/q1*2/5/2*2/2*1Q w - - 0 1',
      text: 'Arrows make walls. What lies behind a closed wall belongs to the side that can still go there.',
      steps: [
        {
          kind: 'turn',
          task: 'One gap is left in the wall. Close it with an arrow.',
          goals: [{ kind: 'fire', squares: ['c3'] }],
          right: 'Closed. Black can never come to the right side any more: it is White’s territory.',
          wrong: 'The gap is on c3, and it is still open. Stand on a line with c3, then shoot there.',
          solution: 'e1e3,e3c3',
        },
      ],
    },
    {
      id: 'amazons-end',
      title: 'How a game ends',
      variant: 'amazons',
      fen: 'q*2/1*2/4/3Q w - - 0 1',
      text: 'Whoever has no turn left loses. There are no draws.',
      steps: [
        {
          kind: 'turn',
          task: 'Leave Black without a turn.',
          goals: [{ kind: 'wins' }],
          right: 'Black cannot move any more. White has won.',
          wrong: 'Black can still get out over a3. Block that square.',
          solution: 'd1a1,a1a3',
        },
      ],
    },
    {
      id: 'amazons-count',
      title: 'Territory is turns',
      variant: 'amazons',
      fen: 'q1*Q1/2**1/***2/****1/***** w - - 0 1',
      text: 'Once the sides are walled apart, only counting is left. Each turn uses up one empty square. So a territory is worth as many turns as it has empty squares, if they are filled well.',
      steps: [
        {
          kind: 'question',
          task: 'How many turns has White left in the territory on the right?',
          answers: ['3', '4', '5', '6'],
          correct: 2,
          right: 'Five empty squares, five turns. Black has only three.',
          wrong: 'Count the empty squares that the white amazon can get to: e5, e4 and on downwards.',
          fact: { turnsLeft: { white: 5, black: 3 } },
        },
      ],
    },
    {
      id: 'amazons-fill',
      title: 'Fill it well',
      variant: 'amazons',
      fen: 'q1*Q1/2**1/***2/****1/***** w - - 0 1',
      text: 'Now use those turns. Move to the near squares first and shoot behind you. An arrow that cuts your own territory in two throws turns away.',
      steps: [
        {
          kind: 'play',
          task: 'Play on until Black has no turn left.',
          right: 'Black ran out of turns first. White has won.',
          wrong:
            'White ran out of turns first. Part of the territory was cut off: keep all of it within reach.',
        },
      ],
    },
    {
      id: 'amazons-tempo',
      title: 'Equal territories',
      variant: 'amazons',
      fen: 'q1*1Q/2*2/*****/*****/***** w - - 0 1',
      text: 'Both sides have three turns here, and White is to move. They take turns until one of them has none.',
      steps: [
        {
          kind: 'question',
          task: 'Who wins?',
          answers: ['White', 'Black'],
          correct: 1,
          right: 'Right. White uses up the third turn, Black does too, and then White must move and cannot.',
          wrong:
            'Play it in your mind: White, Black, White, Black, White, Black, and then White has no turn left.',
          fact: { winner: 'black' },
        },
      ],
    },
    {
      id: 'amazons-defect',
      title: 'Squares that do not count',
      variant: 'amazons',
      fen: '****q/*Q**1/1*1** w - - 0 1',
      text: 'Not every empty square is a turn. The amazon on b2 can go to a1 or to c1, but not to both.',
      steps: [
        {
          kind: 'question',
          task: 'How many turns has White?',
          answers: ['None', 'One', 'Two'],
          correct: 1,
          right: 'One: to a1, and the arrow goes back to b2. Now c1 is out of reach.',
          wrong:
            'She moves to one of the corners and must shoot from there. The only free square is the one she left.',
          fact: { turnsLeft: { white: 1, black: 1 } },
        },
      ],
    },
    {
      id: 'amazons-trap',
      title: 'Shut them in',
      variant: 'amazons',
      fen: 'q1*2/2*2/*1*2/5/4Q w - - 0 1',
      text: 'The best arrows do two things: they close a small room around an enemy amazon and leave the large rest to you.',
      steps: [
        {
          kind: 'turn',
          task: 'Black’s room has one door. Shut it.',
          goals: [{ kind: 'fire', squares: ['b3'] }],
          right: 'Black has three turns left in there. All the rest of the board is White’s.',
          wrong: 'The door is b3. As long as it is open, Black walks out.',
          solution: 'e1b1,b1b3',
        },
      ],
    },
  ],
};
