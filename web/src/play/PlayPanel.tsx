// The side panel of the tab Play.
import { MoveList } from '../game/MoveList';

export function PlayPanel() {
  return (
    <section class="panel" aria-label="Game">
      <MoveList />
    </section>
  );
}
