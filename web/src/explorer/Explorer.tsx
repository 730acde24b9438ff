// Turns played from the position on the board in recorded games. A turn is drawn on hover and focus, and played when it
// is chosen.
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { choose, options } from '../analysis/options';
import { pointedTurn } from '../analysis/overlay';
import { ShortTurn } from '../game/ShortTurn';
import { current, legal, match, playTurn, view } from '../game/store';
import type { GameNode } from '../game/tree';
import { number, percent, phrase } from '../messages';
import type { Turn } from '../turns';
import './explorer.css';
import { openings, type PlayedTurn, playedFrom } from './openings';

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
  const known = all?.[match.value.setup.variant];
  const turns = useMemo(() => (index ? playedFrom(known, at, index) : []), [known, at, index]);
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
  if (turns.length === 0) return <p class="quiet">{phrase('openings.none')}</p>;
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
      <p class="quiet">{phrase('openings.source', { count: known?.games ?? 0 })}</p>
    </>
  );
}

function unpoint(): void {
  pointedTurn.value = null;
}

function Row({ played, play }: { played: PlayedTurn; play: (turn: Turn) => void }) {
  const { turn, counts, games } = played;
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
      <td class="number">{number(games)}</td>
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
