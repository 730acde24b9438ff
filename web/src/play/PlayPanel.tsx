// The side panel of the tab Play.

import { MoveList } from '../game/MoveList';
import { phrase } from '../messages';
import { Controls } from './Controls';
import { Players } from './Players';
import { ResultBanner } from './ResultBanner';
import { Welcome } from './Welcome';

export function PlayPanel() {
  return (
    <section class="panel play" aria-label={phrase('play.game')}>
      <Welcome />
      <Players />
      <ResultBanner />
      <Controls />
      <MoveList />
    </section>
  );
}
