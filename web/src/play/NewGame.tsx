// The dialog that begins a game.
import { useSignal } from '@preact/signals';
import {
  begin,
  current,
  match,
  newMatch,
  type Player,
  type Setup,
  type TimeControl,
  tab,
} from '../game/store';
import { type Family, familyTitle, gameOf, games, type VariantId } from '../games';
import { session } from '../host';
import { Choice } from '../ui/Choice';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import { levelOf, levels } from './levels';

type Who = 'white' | 'black' | 'people' | 'engines';
type From = 'start' | 'current' | 'fen';

const TIMES: [string, string, TimeControl | null][] = [
  ['none', 'No clock', null],
  ['3+2', '3 min + 2 s', { start: 180_000, increment: 2000 }],
  ['10+5', '10 min + 5 s', { start: 600_000, increment: 5000 }],
  ['30+0', '30 min', { start: 1_800_000, increment: 0 }],
];

const FAMILIES: Family[] = ['amazons', 'desdemona', 'damone'];

export function NewGameDialog() {
  const { setup } = match.peek();
  const variant = useSignal<VariantId>(setup.variant);
  const who = useSignal<Who>(whoOf(setup));
  const level = useSignal(levelIn(setup));
  const time = useSignal(
    TIMES.find(([, , control]) => control?.start === setup.control?.start)?.[0] ?? 'none',
  );
  const movetime = useSignal(String(setup.movetime));
  const from = useSignal<From>('start');
  const fen = useSignal('');
  const error = useSignal('');
  const game = gameOf(variant.value);
  const sameGame = variant.value === setup.variant;

  const start = async (event: Event) => {
    event.preventDefault();
    const position =
      from.value === 'fen'
        ? fen.value.trim()
        : from.value === 'current' && sameGame
          ? current.peek().fen
          : null;
    let begins: string | null = null;
    if (position) {
      try {
        begins = (await session.ask({ action: 'legal_moves', variant: variant.value, fen: position })).fen;
      } catch (refused) {
        error.value = refused instanceof Error ? refused.message : String(refused);
        return;
      }
    }
    const engine: Player = { kind: 'engine', level: level.value };
    const human: Player = { kind: 'human' };
    begin(
      newMatch({
        variant: variant.value,
        start: begins,
        players: {
          white: who.value === 'black' || who.value === 'engines' ? engine : human,
          black: who.value === 'white' || who.value === 'engines' ? engine : human,
        },
        control: TIMES.find(([id]) => id === time.value)?.[2] ?? null,
        movetime: Number(movetime.value),
      }),
    );
    tab.value = 'play';
    closeDialog();
  };

  return (
    <Dialog title="New game">
      <form class="dialog-form" onSubmit={(event) => void start(event)}>
        <label class="field">
          <span>Game</span>
          <select
            name="variant"
            value={variant.value}
            onChange={(event) => {
              variant.value = event.currentTarget.value as VariantId;
            }}
          >
            {FAMILIES.map((family) => (
              <optgroup key={family} label={familyTitle[family]}>
                {games
                  .filter((one) => one.family === family)
                  .map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.title} — {one.note}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
        <p class="soft small">{game.rules}</p>
        <Choice
          legend="Who plays"
          name="who"
          value={who}
          options={[
            ['white', 'I play White'],
            ['black', 'I play Black'],
            ['people', 'Two people'],
            ['engines', 'Engine v engine'],
          ]}
        />
        {who.value !== 'people' && (
          <label class="field">
            <span>Opponent</span>
            <select
              name="level"
              value={level.value}
              onChange={(event) => {
                level.value = event.currentTarget.value;
              }}
            >
              {levels.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
            <small class="soft">{levelOf(level.value).note}</small>
          </label>
        )}
        <Choice legend="Clock" name="time" value={time} options={TIMES.map(([id, title]) => [id, title])} />
        {who.value !== 'people' && level.value === 'full' && time.value === 'none' && (
          <Choice
            legend="The engine thinks for"
            name="movetime"
            value={movetime}
            options={[
              ['1000', '1 s'],
              ['3000', '3 s'],
              ['10000', '10 s'],
            ]}
          />
        )}
        <Choice
          legend="Start from"
          name="from"
          value={from}
          options={[
            ['start', 'The start'],
            ...(sameGame ? ([['current', 'The position on the board']] as [From, string][]) : []),
            ['fen', 'A FEN'],
          ]}
        />
        {from.value === 'fen' && (
          <label class="field">
            <span>FEN</span>
            <input
              type="text"
              name="fen"
              value={fen.value}
              placeholder={game.start}
              spellcheck={false}
              onInput={(event) => {
                fen.value = event.currentTarget.value;
                error.value = '';
              }}
            />
          </label>
        )}
        {error.value && <p role="alert">{error.value}</p>}
        <div class="buttons">
          <button type="submit" class="primary">
            Start
          </button>
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function whoOf({ players: { white, black } }: Setup): Who {
  if (white.kind === 'human') return black.kind === 'human' ? 'people' : 'white';
  return black.kind === 'human' ? 'black' : 'engines';
}

function levelIn({ players: { white, black } }: Setup): string {
  if (black.kind === 'engine') return black.level;
  return white.kind === 'engine' ? white.level : 'beginner';
}
