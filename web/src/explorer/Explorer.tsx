// Turns played from the position on the board in games of the engine, of the person and of a file. A turn is drawn on hover
// and focus, and played when it is chosen.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { choose, options } from '../analysis/options';
import { pointedTurn } from '../analysis/overlay';
import { ShortTurn } from '../game/ShortTurn';
import { current, legal, match, playTurn, view } from '../game/store';
import type { GameNode } from '../game/tree';
import type { VariantId } from '../games';
import { number, percent, phrase } from '../messages';
import { type BoardView, writeFen } from '../squares';
import type { Turn } from '../turns';
import './explorer.css';
import {
  type Counted,
  countsIn,
  type Form,
  formOf,
  openings,
  type PlayedTurn,
  playedFrom,
  type Way,
  waysOf,
} from './openings';
import { countOwn, kept, type Listed, opened } from './own';

export function Explorer() {
  const open = options.value.openings;
  const box = useRef<HTMLDetailsElement>(null);
  return (
    <details
      ref={box}
      class="explorer"
      open={open}
      onToggle={(event) => choose('openings', event.currentTarget.open)}
    >
      <summary>
        <h3>{phrase('openings.title')}</h3>
      </summary>
      {open && <Here box={box} />}
    </details>
  );
}

function Here({ box }: { box: RefObject<HTMLDetailsElement | null> }) {
  useEffect(() => void openings.load(), []);
  const all = openings.content.value;
  const index = legal.value;
  const at = view.value;
  const node = current.value;
  const { variant } = match.value.setup;
  const known = all?.[variant];
  const ways = useMemo(() => waysOf(known, at), [known, at.width, at.height]);
  const form = useMemo(() => formOf(at, ways), [at, ways]);
  const { engineGames } = options.value;
  const engine = useMemo(() => (engineGames ? countsIn(known, form) : NONE), [engineGames, known, form]);
  const own = useOwn(variant, at, form, ways);
  const turns = useMemo(
    () => (index ? playedFrom(form, index, engine, own) : []),
    [form, index, engine, own],
  );
  // A turn of another position is none of this one.
  useEffect(() => unpoint, [node]);
  // Whoever has played a turn from here goes on from here: the focus is not lost with its row. The effect may run late,
  // when the turn has been played already, for the position before it.
  const left = useRef<GameNode | null>(null);
  useEffect(() => {
    if (!left.current || left.current === node || !index) return;
    left.current = null;
    box.current?.querySelector<HTMLElement>(turns.length > 0 ? 'tbody button' : 'summary')?.focus();
  }, [turns, index, node]);
  const play = (turn: Turn) => {
    left.current = box.current?.contains(document.activeElement) ? node : null;
    unpoint();
    playTurn(turn);
  };
  if (openings.failure.value)
    return (
      <p class="problem">
        {phrase('openings.failed', { why: openings.failure.value })}{' '}
        <button type="button" class="small" onClick={() => void openings.load()}>
          {phrase('openings.again')}
        </button>
      </p>
    );
  if (!all || !index) return <p class="quiet">{phrase('openings.loading')}</p>;
  const sources = <Sources variant={variant} games={known?.games ?? 0} />;
  if (turns.length === 0)
    return (
      <>
        <p class="quiet">{phrase('openings.none')}</p>
        {sources}
      </>
    );
  return (
    <>
      <div class="scroll">
        <table aria-label={phrase('openings.title')}>
          <thead>
            <tr>
              <th scope="col">{phrase('openings.turn')}</th>
              <th scope="col" class="number">
                {phrase('openings.games')}
              </th>
              <th scope="col">{phrase('openings.results')}</th>
              <th scope="col" class="number">
                {phrase('openings.score')}
              </th>
            </tr>
          </thead>
          <tbody>
            {turns.map((played) => (
              <Row key={played.turn.text} played={played} play={play} />
            ))}
          </tbody>
        </table>
      </div>
      {sources}
    </>
  );
}

const NONE: Counted = new Map();

const of = (variant: VariantId, games: readonly Listed[] = []) =>
  games.filter((game) => game.variant === variant);

/** The counts of people's own games, as far as they are wanted. */
function useOwn(variant: VariantId, view: BoardView, form: Form, ways: readonly Way[]): Counted {
  const counted = useSignal<{ position: string; own: Counted } | null>(null);
  const { ownGames, fileGames } = options.value;
  const [own, file] = [kept.value, opened.value];
  // The same position may be told anew.
  const position = `${variant} ${writeFen(view)}`;
  useEffect(() => {
    let stale = false;
    const games = [...(ownGames ? own : []), ...(fileGames ? (file?.games ?? []) : [])];
    countOwn(games, { variant, view, form, ways }, () => stale)
      .then((found) => {
        if (found && !stale) counted.value = { position, own: found };
      })
      // Without the engine there is no turn to show, either.
      .catch(() => {});
    return () => {
      stale = true;
    };
  }, [variant, position, ways, own, file, ownGames, fileGames]);
  return counted.value?.position === position ? counted.value.own : NONE;
}

/** Whose games are counted. */
function Sources({ variant, games }: { variant: VariantId; games: number }) {
  const own = of(variant, kept.value).length;
  const file = of(variant, opened.value?.games).length;
  const { engineGames, ownGames, fileGames } = options.value;
  const source = (key: 'engineGames' | 'ownGames' | 'fileGames', checked: boolean, words: string) => (
    <label>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => choose(key, event.currentTarget.checked)}
      />
      {words}
    </label>
  );
  return (
    <>
      {own + file > 0 && (
        <fieldset class="switches">
          <legend class="visually-hidden">{phrase('openings.whose')}</legend>
          {games > 0 && source('engineGames', engineGames, phrase('openings.engines', { count: games }))}
          {own > 0 && source('ownGames', ownGames, phrase('openings.yours', { count: own }))}
          {file > 0 &&
            source(
              'fileGames',
              fileGames,
              `${opened.value?.name || phrase('openings.pasted')} (${number(file)})`,
            )}
        </fieldset>
      )}
      {games > 0 && engineGames && <p class="quiet">{phrase('openings.source', { count: games })}</p>}
    </>
  );
}

function unpoint(): void {
  pointedTurn.value = null;
}

function Row({ played, play }: { played: PlayedTurn; play: (turn: Turn) => void }) {
  const { turn, counts, games, own } = played;
  const [white, drawn, black] = counts;
  const words = phrase('openings.counts', { white, drawn, black });
  const point = () => {
    pointedTurn.value = turn;
  };
  return (
    <tr onPointerEnter={point} onPointerLeave={unpoint}>
      <th scope="row">
        <button
          type="button"
          class="link"
          onFocus={(event) => event.currentTarget.matches(':focus-visible') && point()}
          onBlur={unpoint}
          onClick={() => play(turn)}
        >
          <ShortTurn turn={turn.text} />
        </button>
      </th>
      <td class="number">
        {number(games)}
        {own > 0 && (
          <span class="own-games" title={phrase('openings.ofYours', { count: own })}>
            <span aria-hidden="true">●</span>
            <span class="visually-hidden">, {phrase('openings.ofYours', { count: own })}</span>
          </span>
        )}
      </td>
      <td>
        <span class="result-bar" role="img" aria-label={words} title={words}>
          {(['white', 'drawn', 'black'] as const).map(
            (who, at) => counts[at]! > 0 && <span key={who} class={who} style={{ flexGrow: counts[at] }} />,
          )}
        </span>
      </td>
      <td class="number">{percent((white + drawn / 2) / games)}</td>
    </tr>
  );
}
