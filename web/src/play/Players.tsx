// The line of a side above or below the board: who plays, what it does, its clock.
import { match, paused, revision } from '../game/store';
import { sideName } from '../names';
import type { Side } from '../protocol';
import { clocks, running, showTime } from './clock';
import { levelOf } from './levels';
import { thinking } from './opponent';
import { toPlay } from './state';

export function PlayerLine({ side }: { side: Side }) {
  revision.value;
  const { players } = match.value.setup;
  const player = players[side];
  const people = players.white.kind === 'human' && players.black.kind === 'human';
  const name =
    player.kind === 'engine'
      ? `Hippolyta, ${levelOf(player.level).title.toLowerCase()}`
      : people
        ? sideName[side]
        : 'You';
  const time = clocks.value?.[side];
  const classes = ['clock'];
  if (running.value === side) classes.push('running');
  if (time !== undefined && time < 10_000) classes.push('low');
  return (
    <div class={`player ${side}`}>
      <span class="dot" aria-hidden="true" />
      <span class="name">{name}</span>
      {!people && <span class="visually-hidden">({sideName[side]})</span>}
      <span class="state">{toPlay.value === side ? stateOf(player.kind) : ''}</span>
      {time !== undefined && (
        <span class={classes.join(' ')} role="timer" aria-label={`${sideName[side]}’s clock`}>
          {showTime(time)}
        </span>
      )}
    </div>
  );
}

function stateOf(kind: 'human' | 'engine'): string {
  if (paused.value) return 'paused';
  if (kind === 'human') return 'to play';
  return thinking.value ? 'is thinking …' : 'to play';
}
