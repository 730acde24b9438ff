// The dialog of a new game.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Board } from '../board/Board';
import { startOf } from '../editor/model';
import { messageOf } from '../errors';
import { current, match, type TimeControl } from '../game/store';
import { familyTitle, type Game, gameOf, games, isOwn, type VariantId } from '../games';
import { ratingIn } from '../history/rating';
import { session } from '../host';
import { keep } from '../keptRules';
import { phrase } from '../messages';
import type { LegalMoves } from '../protocol';
import { Choices } from '../ui/Choices';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import { newGame } from './actions';
import {
  type Choice,
  CONTROLS,
  choiceOf,
  controlOf,
  hasFullStrength,
  MOVE_TIMES,
  preset,
  setupOf,
} from './choice';
import { timeWords } from './clock';
import { EVEN, levelOf, levelsFor } from './levels';
import { OwnRules } from './OwnRules';

const FAMILIES = [...new Set(games.map(({ family }) => family))];

/** The games that most people want have a card each; all are chosen by name. */
const CARDS = ['amazons6', 'amazons'] as const;
/** A game to show what others look like. */
const OTHER = 'iago';

export function NewGame() {
  const choice = useSignal<Choice>({ ...choiceOf(match.peek().setup), ...preset.peek() });
  const [isPreset] = useState(Object.keys(preset.peek()).length > 0);
  useEffect(() => {
    preset.value = {};
  }, []);
  const trouble = useSignal('');
  const asking = useSignal(false);
  const now = choice.value;
  const set = (change: Partial<Choice>) => {
    choice.value = { ...choice.peek(), ...change };
    trouble.value = '';
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    asking.value = true;
    trouble.value = await begin(choice.peek());
    asking.value = false;
  };
  return (
    <Dialog title={phrase('play.newGame')}>
      <form class="new-game" onSubmit={(event) => void submit(event)}>
        <RuleSet now={now} set={set} />
        <details open={isPreset}>
          <summary>{wordsOf(now)}</summary>
          <Opponents now={now} set={set} />
          <Time now={now} set={set} />
          <From now={now} set={set} />
        </details>
        {trouble.value && (
          <p class="problem" role="alert">
            {trouble.value}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={asking.value}>
            {phrase('new.start')}
          </button>
          <button type="button" onClick={closeDialog}>
            {phrase('new.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Begins the game if the engine takes its position. Gives the words for what is wrong, or none. */
async function begin(choice: Choice): Promise<string> {
  if (choice.isUnclear) return phrase('own.unclear');
  try {
    const setup = setupOf(choice, current.peek().fen);
    let told: LegalMoves | null = null;
    if (setup.start !== null) {
      const { variant, start: fen } = setup;
      told = await session.ask({ action: 'legal_moves', variant, fen, includePosition: true });
      if (told.outcome !== null) return phrase('new.over');
    }
    if (isOwn(setup.variant)) keep(setup.variant);
    newGame(setup, told);
    closeDialog();
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

interface PartProps {
  now: Choice;
  set: (change: Partial<Choice>) => void;
}

function RuleSet({ now, set }: PartProps) {
  const own = useSignal(isOwn(now.variant));
  const others = useSignal(!CARDS.some((id) => id === now.variant));
  const choose = (id: string) => {
    own.value = id === 'own';
    if (!own.value) set({ variant: id as Choice['variant'], isUnclear: false, from: 'start' });
  };
  return (
    <>
      <Choices<VariantId | 'others'>
        legend={phrase('new.game')}
        name="card"
        value={others.value ? 'others' : now.variant}
        options={[
          ...CARDS.map(gameOf).map((game): [VariantId, ComponentChildren] => [
            game.id,
            <Card key={game.id} game={game} title={game.title} note={game.note} />,
          ]),
          [
            'others',
            <Card
              key="others"
              game={gameOf(OTHER)}
              title={phrase('new.others')}
              note={phrase('new.othersNote')}
            />,
          ],
        ]}
        choose={(id) => {
          others.value = id === 'others';
          choose(id === 'others' ? OTHER : id);
        }}
      />
      {others.value && (
        <label class="field">
          <span>{phrase('new.ruleSet')}</span>
          <select
            name="variant"
            value={own.value ? 'own' : now.variant}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {FAMILIES.map((family) => (
              <optgroup key={family} label={familyTitle(family)}>
                {games
                  .filter((game) => game.family === family)
                  .map((game) => (
                    <option key={game.id} value={game.id}>
                      {phrase('new.option', game)}
                    </option>
                  ))}
              </optgroup>
            ))}
            <option value="own">{phrase('own.title')}</option>
          </select>
        </label>
      )}
      {own.value ? (
        <OwnRules
          variant={now.variant}
          choose={(variant) =>
            set(variant === null ? { isUnclear: true } : { variant, isUnclear: false, from: 'start' })
          }
        />
      ) : (
        others.value && <p class="soft small rules">{gameOf(now.variant).rules}</p>
      )}
    </>
  );
}

function Card({ game, title, note }: { game: Game; title: string; note: string }) {
  return (
    <span class="card-words">
      <span inert>
        <Board rules={game} view={startOf(game.id)} bottom="white" coordinates={false} />
      </span>
      {title}
      <small>{note}</small>
    </span>
  );
}

/** What is folded away: who plays, as whom, and the clock. */
function wordsOf(now: Choice): string {
  const { opponents, side, level, second } = now;
  const engines = opponents === 'people' ? [] : opponents === 'show' ? [level, second] : [level];
  const time = controlOf(now);
  const words = [
    phrase(`new.${opponents}`),
    ...engines.map((id) => levelOf(id).title),
    opponents === 'engine' ? phrase(`new.${side}`) : '',
    time ? controlWords(time) : phrase('new.noClock'),
  ];
  return words.filter(Boolean).join(' · ');
}

function Opponents({ now, set }: PartProps) {
  return (
    <>
      <Choices
        legend={phrase('new.who')}
        name="opponents"
        value={now.opponents}
        options={[
          ['engine', phrase('new.engine')],
          ['people', phrase('new.people')],
          ['show', phrase('new.show')],
        ]}
        choose={(opponents) => set({ opponents })}
      />
      {now.opponents === 'engine' && (
        <Choices
          legend={phrase('new.side')}
          name="side"
          value={now.side}
          options={[
            ['white', phrase('new.white')],
            ['black', phrase('new.black')],
            ['random', phrase('new.random')],
          ]}
          choose={(side) => set({ side })}
        />
      )}
      {now.opponents !== 'people' && (
        <LevelField
          title={phrase(now.opponents === 'show' ? 'new.whiteAs' : 'new.engineAs')}
          name="level"
          now={now}
          value={now.level}
          choose={(level) => set({ level })}
        />
      )}
      {now.opponents === 'show' && (
        <LevelField
          title={phrase('new.blackAs')}
          name="second"
          now={now}
          value={now.second}
          choose={(second) => set({ second })}
        />
      )}
    </>
  );
}

interface LevelFieldProps {
  title: string;
  name: string;
  value: string;
  now: Choice;
  choose: (value: string) => void;
}

function LevelField({ title, name, value, now, choose }: LevelFieldProps) {
  const { variant, opponents } = now;
  const levels = levelsFor(variant);
  // A rating of another rule set.
  if (value !== EVEN && levels.every(({ id }) => id !== value)) levels.push(levelOf(value));
  return (
    <label class="field">
      <span>{title}</span>
      <select name={name} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {opponents === 'engine' && <option value={EVEN}>{evenWords(variant)}</option>}
        {levels.map((level) => (
          <option key={level.id} value={level.id}>
            {level.note ? phrase('new.option', { title: level.title, note: level.note }) : level.title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** "As strong as you: about 840 ± 210". */
function evenWords(variant: VariantId): string {
  const { rating, deviation } = ratingIn(variant);
  return phrase('new.option', {
    title: levelOf(EVEN).title,
    note: phrase('level.about', { rating: String(Math.round(rating)), within: Math.round(2 * deviation) }),
  });
}

/** "3 minutes, 2 seconds a turn". */
function controlWords({ start, increment }: TimeControl): string {
  return phrase('new.control', { minutes: timeWords(start), seconds: timeWords(increment) });
}

function Time({ now, set }: PartProps) {
  return (
    <>
      <label class="field">
        <span>{phrase('new.clock')}</span>
        <select
          name="control"
          value={now.control}
          onChange={(event) => set({ control: event.currentTarget.value })}
        >
          {CONTROLS.map(([id, control]) => (
            <option key={id} value={id}>
              {control === null ? phrase('new.noClock') : controlWords(control)}
            </option>
          ))}
          <option value="own">{phrase('new.ownTime')}</option>
        </select>
      </label>
      {now.control === 'own' && (
        <div class="fields">
          <NumberField
            title={phrase('new.minutes')}
            name="minutes"
            value={now.minutes}
            range={[0.1, 180]}
            choose={(minutes) => set({ minutes })}
          />
          <NumberField
            title={phrase('new.seconds')}
            name="seconds"
            value={now.seconds}
            range={[0, 180]}
            choose={(seconds) => set({ seconds })}
          />
        </div>
      )}
      {now.control === 'none' && hasFullStrength(now) && (
        <label class="field">
          <span>{phrase('new.fullThinks')}</span>
          <select
            name="movetime"
            value={now.movetime}
            onChange={(event) => set({ movetime: Number(event.currentTarget.value) })}
          >
            {MOVE_TIMES.map((time) => (
              <option key={time} value={time}>
                {phrase('new.aTurn', { time: time < 1000 ? phrase('new.halfSecond') : timeWords(time) })}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

interface NumberFieldProps {
  title: string;
  name: string;
  value: number;
  range: [number, number];
  choose: (value: number) => void;
}

function NumberField({ title, name, value, range: [min, max], choose }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{title}</span>
      <input
        type="number"
        name={name}
        min={min}
        max={max}
        step="any"
        required
        value={value}
        onInput={(event) => choose(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

function From({ now, set }: PartProps) {
  const same = match.value.setup.variant === now.variant;
  const options: [Choice['from'], string][] = [['start', phrase('new.fromStart')]];
  if (same && (current.value.parent || match.value.tree.start !== null))
    options.push(['current', phrase('new.fromCurrent')]);
  options.push(['fen', phrase('new.fromFen')]);
  return (
    <>
      <Choices
        legend={phrase('new.from')}
        name="from"
        value={now.from}
        options={options}
        choose={(from) => set({ from })}
      />
      {now.from === 'fen' && (
        <label class="field">
          <span>{phrase('new.fen')}</span>
          <input
            type="text"
            name="fen"
            spellcheck={false}
            autocomplete="off"
            value={now.fen}
            placeholder={gameOf(now.variant).start}
            onInput={(event) => set({ fen: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}
