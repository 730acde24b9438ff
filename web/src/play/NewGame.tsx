// The dialog of a new game.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../errors';
import { current, match } from '../game/store';
import { gameOf, games } from '../games';
import { session } from '../host';
import type { LegalMoves } from '../protocol';
import { Choices } from '../ui/Choices';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import { newGame } from './actions';
import { type Choice, CONTROLS, choiceOf, hasFullStrength, MOVE_TIMES, preset, setupOf } from './choice';
import { type LevelId, levelOf, levels } from './levels';

const FAMILIES = [...new Set(games.map(({ family }) => family))];

export function NewGame() {
  const choice = useSignal<Choice>({ ...choiceOf(match.peek().setup), ...preset.peek() });
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
    <Dialog title="New game">
      <form class="new-game" onSubmit={(event) => void submit(event)}>
        <RuleSet now={now} set={set} />
        <Opponents now={now} set={set} />
        <Time now={now} set={set} />
        <From now={now} set={set} />
        {trouble.value && (
          <p class="problem" role="alert">
            {trouble.value}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={asking.value}>
            Start game
          </button>
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Begins the game if the engine takes its position. Gives the words for what is wrong, or none. */
async function begin(choice: Choice): Promise<string> {
  try {
    const setup = setupOf(choice, current.peek().fen);
    let told: LegalMoves | null = null;
    if (setup.start !== null) {
      const { variant, start: fen } = setup;
      told = await session.ask({ action: 'legal_moves', variant, fen, includePosition: true });
      if (told.outcome !== null) return 'Nobody can play on from this position: the game is over there.';
    }
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
  const chosen = gameOf(now.variant);
  const first = (family: string) => games.find((game) => game.family === family)!;
  return (
    <>
      <Choices
        legend="Game"
        name="family"
        value={chosen.family}
        options={FAMILIES.map((family) => [family, family])}
        choose={(family) => set({ variant: first(family).id, from: 'start' })}
      />
      <label class="field">
        <span>Rule set</span>
        <select
          name="variant"
          value={now.variant}
          onChange={(event) =>
            set({ variant: event.currentTarget.value as Choice['variant'], from: 'start' })
          }
        >
          {games
            .filter((game) => game.family === chosen.family)
            .map((game) => (
              <option key={game.id} value={game.id}>
                {game.title}: {game.note}
              </option>
            ))}
        </select>
      </label>
      <p class="soft small rules">{chosen.rules}</p>
    </>
  );
}

function Opponents({ now, set }: PartProps) {
  return (
    <>
      <Choices
        legend="Who plays"
        name="opponents"
        value={now.opponents}
        options={[
          ['engine', 'Against the engine'],
          ['people', 'Two people'],
          ['show', 'Engine against engine'],
        ]}
        choose={(opponents) => set({ opponents })}
      />
      {now.opponents === 'engine' && (
        <Choices
          legend="Your side"
          name="side"
          value={now.side}
          options={[
            ['white', 'White, moves first'],
            ['black', 'Black'],
            ['random', 'Random'],
          ]}
          choose={(side) => set({ side })}
        />
      )}
      {now.opponents !== 'people' && (
        <LevelField
          title={now.opponents === 'show' ? 'White plays as' : 'The engine plays as'}
          name="level"
          value={now.level}
          choose={(level) => set({ level })}
        />
      )}
      {now.opponents === 'show' && (
        <LevelField
          title="Black plays as"
          name="second"
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
  value: LevelId;
  choose: (level: LevelId) => void;
}

function LevelField({ title, name, value, choose }: LevelFieldProps) {
  return (
    <label class="field">
      <span>{title}</span>
      <select
        name={name}
        value={levelOf(value).id}
        onChange={(event) => choose(event.currentTarget.value as LevelId)}
      >
        {levels.map((level) => (
          <option key={level.id} value={level.id}>
            {level.title}: {level.note}
          </option>
        ))}
      </select>
    </label>
  );
}

function Time({ now, set }: PartProps) {
  return (
    <>
      <label class="field">
        <span>Clock</span>
        <select
          name="control"
          value={now.control}
          onChange={(event) => set({ control: event.currentTarget.value })}
        >
          {CONTROLS.map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
          <option value="own">Another time</option>
        </select>
      </label>
      {now.control === 'own' && (
        <div class="fields">
          <NumberField
            title="Minutes each"
            name="minutes"
            value={now.minutes}
            range={[0.1, 180]}
            choose={(minutes) => set({ minutes })}
          />
          <NumberField
            title="Seconds more with every turn"
            name="seconds"
            value={now.seconds}
            range={[0, 180]}
            choose={(seconds) => set({ seconds })}
          />
        </div>
      )}
      {now.control === 'none' && hasFullStrength(now) && (
        <label class="field">
          <span>Full strength thinks for</span>
          <select
            name="movetime"
            value={now.movetime}
            onChange={(event) => set({ movetime: Number(event.currentTarget.value) })}
          >
            {MOVE_TIMES.map(([time, title]) => (
              <option key={time} value={time}>
                {title} a turn
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
  const options: [Choice['from'], string][] = [['start', 'The start']];
  if (same && (current.value.parent || match.value.tree.start !== null))
    options.push(['current', 'The position on the board']);
  options.push(['fen', 'A FEN']);
  return (
    <>
      <Choices
        legend="Begin from"
        name="from"
        value={now.from}
        options={options}
        choose={(from) => set({ from })}
      />
      {now.from === 'fen' && (
        <label class="field">
          <span>Position as FEN</span>
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
