// Every position of the lessons is one that the engine accepts, every solution is legal and does what is asked, and what
// a lesson says of a position is what the engine says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gameOf } from '../../src/games';
import { courses } from '../../src/learn/courses';
import { fulfils } from '../../src/learn/goals';
import type { Lesson } from '../../src/learn/lesson';
import { lessonText } from '../../src/learn/words';
import { flat } from '../../src/messages/catalogue';
import en from '../../src/messages/en.json';
import { viewOf } from '../../src/squares';
import { skip, TestEngine } from './engine';

let engine: TestEngine;
before(() => {
  if (!skip) engine = new TestEngine();
});
after(() => {
  if (!skip) engine.close();
});

const lessons: Lesson[] = courses.flatMap((course) => course.lessons);

test('ids differ, words are short, every lesson asks for something', () => {
  assert.equal(new Set(lessons.map((lesson) => lesson.id)).size, lessons.length);
  for (const lesson of lessons) {
    const { id, steps } = lesson;
    const text = lessonText(lesson);
    const sentences = text.match(/[.!?](\s|$)/g)?.length ?? 0;
    assert.ok(
      sentences >= 1 && sentences <= 5 && text.length < 420,
      `${id}: ${sentences} sentences, ${text.length}`,
    );
    assert.ok(steps.length > 0, id);
  }
});

test('all that a lesson says is among the messages, and nothing else', () => {
  const said = new Set(courses.flatMap(({ id }) => [`course.${id}.title`, `course.${id}.about`]));
  for (const { id, steps } of lessons) {
    for (const part of ['title', 'text']) said.add(`lesson.${id}.${part}`);
    for (const [at, step] of steps.entries()) {
      // Where any turn will do, none is wrong.
      const any = step.kind === 'turn' && step.goals.some(({ kind }) => kind === 'any');
      const answers = step.kind === 'question' ? step.answers : 0;
      const parts = ['task', 'right', ...(any ? [] : ['wrong'])];
      for (let answer = 1; answer <= answers; answer += 1) parts.push(`answer${answer}`);
      for (const part of parts) said.add(`lesson.${id}.step${at + 1}.${part}`);
    }
  }
  const names = [...flat(en).keys()].filter((key) => /^(?:course|lesson)\./.test(key));
  assert.deepEqual(names.sort(), [...said].sort());
});

for (const lesson of lessons) {
  test(`lesson ${lesson.id}`, { skip }, async () => {
    const { variant } = lesson;
    const fen = lesson.fen ?? gameOf(variant).start;
    const moves: string[] = [];
    const look = () => engine.ask({ action: 'legal_moves', variant, fen, moves, includePosition: true });
    let draw = false;
    for (const step of lesson.steps) {
      const now = await look();
      if (step.kind === 'turn') {
        assert.ok(now.moves.includes(step.solution), `${step.solution} of ${now.moves.join(' ')}`);
        const mover = now.currentPlayer;
        moves.push(step.solution);
        const then = await look();
        const played = {
          turn: then.effects!,
          mover,
          after: viewOf(then.position!),
          effects: then.effects,
          outcome: then.outcome,
        };
        for (const goal of step.goals)
          assert.ok(fulfils(goal, played), `${step.solution}: ${JSON.stringify(goal)}`);
        // A goal that every turn fulfils teaches nothing, unless there is but one turn or any will do.
        if (step.goals.some((goal) => goal.kind !== 'any') && now.moves.length > 1) {
          let others = 0;
          for (const turn of now.moves.slice(0, 60)) {
            const other = await engine.ask({
              action: 'legal_moves',
              variant,
              fen,
              moves: [...moves.slice(0, -1), turn],
              includePosition: true,
            });
            const { effects, outcome } = other;
            const result = { ...played, turn: effects!, after: viewOf(other.position!), effects, outcome };
            if (!step.goals.every((goal) => fulfils(goal, result))) others += 1;
          }
          assert.ok(others > 0 || step.goals.some((goal) => goal.kind === 'captures'), 'every turn is right');
        }
        if (step.reply) {
          assert.ok(then.moves.includes(step.reply), `reply ${step.reply} of ${then.moves.join(' ')}`);
          moves.push(step.reply);
          draw = (await look()).outcome === 'draw';
        }
      } else if (step.kind === 'play') {
        const reader = now.currentPlayer;
        for (;;) {
          const at = await look();
          if (at.outcome !== null) {
            assert.equal(at.outcome, reader);
            break;
          }
          const answer = await engine.ask({ variant, fen, moves, nodes: 400 });
          moves.push(answer.moveInfos[0]!.move);
        }
      } else {
        assert.ok(step.answers > 1 && step.correct < step.answers);
        if ('outcome' in step.fact) assert.equal(now.outcome, step.fact.outcome);
        else {
          const { territory } = await engine.ask({ variant, fen, moves, nodes: 200, includeTerritory: true });
          if ('winner' in step.fact) assert.equal(territory?.winner, step.fact.winner);
          else {
            const { white, black } = step.fact.turnsLeft;
            assert.deepEqual(territory?.turnsLeft, { white: [white, white], black: [black, black] });
          }
        }
      }
    }
    if (lesson.id === 'damone-draw') assert.ok(draw, 'no draw by repetition');
  });
}
