// The mistakes of the game, to be sorted, filtered and stepped through.

import { numberOf } from '../game/numbers';
import { ShortTurn } from '../game/ShortTurn';
import { kinds } from '../game/store';
import { points } from '../game/verdicts';
import { phrase } from '../messages';
import { sideName } from '../names';
import type { Side } from '../protocol';
import { MakeProblems } from './MakeProblems';
import type { TurnVerdict } from './review';
import { filter, mistakes, order, step, trial, tryAgain } from './trial';
import { capital, countsOf, lessonsOf, type Order } from './words';

export function MistakeList() {
  const list = mistakes.value;
  const lessons = lessonsOf(list);
  return (
    <section class="mistakes" aria-label={phrase('mistakes.title')}>
      <header>
        <h3>{list.length === 0 ? phrase('mistakes.none') : capital(countsOf(list, kinds.value))}</h3>
        <div class="controls">
          <button type="button" disabled={list.length === 0} onClick={() => step(-1)}>
            {phrase('mistakes.previous')}
          </button>
          <button type="button" class="primary" disabled={list.length === 0} onClick={() => step(1)}>
            {phrase('mistakes.next')}
          </button>
        </div>
      </header>
      <div class="controls">
        <Segments<Side | 'both'>
          label={phrase('mistakes.whose')}
          options={[
            ['both', phrase('mistakes.both')],
            ['white', sideName.white],
            ['black', sideName.black],
          ]}
          value={filter.value}
          choose={(side) => (filter.value = side)}
        />
        <Segments<Order>
          label={phrase('mistakes.order')}
          options={[
            ['turn', phrase('mistakes.byTurn')],
            ['cost', phrase('mistakes.byCost')],
          ]}
          value={order.value}
          choose={(by) => (order.value = by)}
        />
      </div>
      {lessons.length > 0 && (
        <ul class="reasons" aria-label={phrase('lessons.title')}>
          {lessons.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <MakeProblems of={list} />
      <ol>
        {list.map((mistake) => (
          <Item key={mistake.node.id} mistake={mistake} />
        ))}
      </ol>
    </section>
  );
}

function Item({ mistake }: { mistake: TurnVerdict }) {
  const { kind } = mistake;
  if (!kind) return null;
  const here = trial.value?.mistake.node === mistake.node;
  return (
    <li>
      <button
        type="button"
        class={`mistake-item ${kind}`}
        aria-current={here ? 'true' : undefined}
        onClick={() => tryAgain(mistake)}
      >
        <span class={`side-sign ${mistake.side}`} aria-hidden="true" />
        <span class="mistake-turn">
          <span class="quiet">{phrase('mistakes.turn', { number: numberOf(mistake.node) })}</span>
          <span class="visually-hidden">, {sideName[mistake.side]}: </span>{' '}
          <ShortTurn turn={mistake.node.turn} bold />
        </span>
        <span class="mistake-kind">
          {phrase(`kind.name.${kind}`)}{' '}
          <span aria-hidden="true">{kinds.value.find(({ name }) => name === kind)?.sign}</span>
        </span>
        <span class="mistake-cost">−{points(mistake.loss)}</span>
      </button>
    </li>
  );
}

export function Segments<T extends string>({
  label,
  options,
  value,
  choose,
}: {
  label: string;
  options: readonly [T, string][];
  value: T;
  choose: (value: T) => void;
}) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([id, title]) => (
        <button key={id} type="button" aria-pressed={value === id} onClick={() => choose(id)}>
          {title}
        </button>
      ))}
    </div>
  );
}
