// The turns of the main line, in two columns; a click shows the position.
import { useEffect, useRef } from 'preact/hooks';
import { readFen } from '../fen';
import { showTurn } from '../turns';
import { turnWords } from '../names';
import { current, game, go, match, revision } from './store';
import { mainLine } from './tree';

export function MoveList() {
  revision.value;
  const { family } = game.value;
  const { root } = match.value.tree;
  const nodes = mainLine(root).slice(1);
  const list = useRef<HTMLDivElement>(null);
  const at = current.value;
  useEffect(() => {
    const shown = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Scrolls the list alone, not the page.
    if (shown && list.current) list.current.scrollTop = shown.offsetTop - list.current.clientHeight / 2;
  }, [at]);
  if (nodes.length === 0) return <p class="soft small">No turn has been played yet.</p>;
  const start = readFen(root.fen ?? game.value.start);
  const shift = start.side === 'black' ? 1 : 0;
  return (
    <div class="moves" role="group" aria-label="Turns" ref={list}>
      {shift === 1 && (
        <>
          <span class="number">{start.number}</span>
          <span class="soft">…</span>
        </>
      )}
      {nodes.map((node, index) => (
        <>
          {(index + shift) % 2 === 0 && <span class="number">{start.number + (index + shift) / 2}</span>}
          <button
            key={node.id}
            type="button"
            aria-label={turnWords(node.turn, family)}
            aria-current={node === at ? 'true' : undefined}
            onClick={() => go(node)}
          >
            {showTurn(node.turn, family)}
          </button>
        </>
      ))}
    </div>
  );
}
