// The turns of the game, with variations; a click shows the position.
import { showTurn } from '../turns';
import { current, game, go, match, revision } from './store';
import { mainLine } from './tree';

export function MoveList() {
  revision.value;
  const { family } = game.value;
  return (
    <ol class="moves" aria-label="Turns">
      {mainLine(match.value.tree.root)
        .slice(1)
        .map((node) => (
          <li key={node.id}>
            <button
              type="button"
              aria-current={node === current.value ? 'true' : undefined}
              onClick={() => go(node)}
            >
              {showTurn(node.turn, family)}
            </button>
          </li>
        ))}
    </ol>
  );
}
