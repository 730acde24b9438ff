// Who plays, whose turn it is, and the clocks. The side at the top of the board stands first.

import { bottom, game, isGoingOn, match, revision, tab, view } from '../game/store';
import { eventIn, nameIn } from '../game/tags';
import { phrase } from '../messages';
import { sideName } from '../names';
import { other, type Side } from '../protocol';
import { people } from './actions';
import { clocks, runningSide, showTime, timeWords } from './clock';
import { levelOf } from './levels';
import { thinking } from './opponent';
import { stonesOn, stoneWords } from './result';

/** Below this many milliseconds a clock is shown as short. */
const SHORT = 20_000;

export function playerName(side: Side): string {
  const player = match.value.setup.players[side];
  if (player.kind === 'engine')
    return phrase('play.engineName', { level: levelOf(player.level).title.toLowerCase() });
  return people().length === 1 ? phrase('play.you') : nameIn(match.value.tree.tags, side) || sideName[side];
}

export function Players() {
  revision.value;
  const { title } = game.value;
  const event = eventIn(match.value.tree.tags);
  return (
    <header class="players">
      <h2 class="game-title">{title}</h2>
      {event && <p class="game-event">{event}</p>}
      <Player side={other(bottom.value)} />
      <Player side={bottom.value} />
    </header>
  );
}

function Player({ side }: { side: Side }) {
  // Each part reads what it shows: what its parent reads does not draw it anew.
  revision.value;
  const now = match.value;
  const toMove = isGoingOn(now) && now.tip.toMove === side;
  const thinks = thinking.value === side;
  return (
    <div class={toMove ? 'player to-move' : 'player'}>
      <span class={`side-mark ${side}`} aria-hidden="true" />
      <span class="player-name">
        {playerName(side)}
        <span class="visually-hidden">{phrase(side === 'white' ? 'play.isWhite' : 'play.isBlack')}</span>
        {(thinks || toMove) && (
          <span class={thinks ? 'player-state thinking' : 'player-state'}>
            {phrase(thinks ? 'play.thinking' : 'play.toMove')}
          </span>
        )}
      </span>
      {game.value.stones && tab.value === 'play' && (
        <span class="player-stones">{stoneWords(stonesOn(view.value)[side])}</span>
      )}
      <Clock side={side} />
    </div>
  );
}

function Clock({ side }: { side: Side }) {
  const now = clocks.value;
  if (!now) return null;
  const left = now[side];
  const classes = ['clock'];
  if (runningSide.value === side) classes.push('running');
  if (left < SHORT) classes.push('short');
  return (
    <span
      class={classes.join(' ')}
      role="timer"
      aria-label={phrase('play.clock', { side: sideName[side], time: timeWords(left) })}
    >
      {showTime(left)}
    </span>
  );
}
