// What the printer gets: names, a diagram of the position that is shown, the turns in columns with their variations.
import { render } from 'preact';
import { Board } from '../board/Board';
import { bottom, current, game, match, view } from '../game/store';
import { sideName } from '../names';
import { squaresOfTurn } from '../turns';
import { type GameRecord, mainLineOf, type RecordNode } from './record';
import { recordOf } from './transfer';

export function Sheet() {
  const { record, at } = recordOf(match.peek(), current.peek());
  const { White: white, Black: black, Result: result, Date: date, Event: event } = record.tags;
  const named = known(white) !== '' || known(black) !== '';
  const { turn, ply, outcome } = current.peek();
  const { family, title } = game.peek();
  const first = (record.start ?? '').split(' ')[1] === 'b' ? 1 : 0;
  const shown = turn ? `After ${numberOf(ply - 1 + first)} ${turn}. ` : '';
  return (
    <article class="sheet">
      <h1>{named ? `${white} – ${black}` : title}</h1>
      <p>
        {[
          named ? title : '',
          known(event),
          known(date?.replace(/[.?/-]+$/, '')),
          result && result !== '*' ? result : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <figure>
        <Board
          family={family}
          view={view.peek()}
          bottom={bottom.peek()}
          last={turn ? squaresOfTurn(turn) : undefined}
          coordinates={true}
          label="The position"
        />
        <figcaption>
          {shown}
          {outcome === null
            ? `${sideName[view.peek().side]} to move.`
            : outcome === 'draw'
              ? 'A draw.'
              : `${sideName[outcome]} has won.`}
          <br />
          <code>{current.peek().fen}</code>
        </figcaption>
      </figure>
      {record.root.comment && <p class="sheet-comment">{record.root.comment}</p>}
      <Turns record={record} first={first} at={at} />
    </article>
  );
}

/** What a tag says; empty where PGN marks it as unknown (`?`) or as not applying (`-`). */
function known(tag = ''): string {
  return /^[?.*-]*$/.test(tag) ? '' : tag;
}

function numberOf(ply: number): string {
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? '.' : '…'}`;
}

function Turns({ record, first, at }: { record: GameRecord; first: number; at: RecordNode }) {
  const variation = (from: RecordNode, ply: number): string => {
    const words: string[] = [];
    let node: RecordNode | undefined = from;
    for (let here = ply; node; here += 1) {
      words.push(`${here === ply || here % 2 === 0 ? `${numberOf(here)} ` : ''}${node.turn}`);
      if (node.comment) words.push(node.comment);
      const [main, ...others]: RecordNode[] = node.children;
      node = main;
      for (const other of others) words.push(`(${variation(other, here + 1)})`);
    }
    return words.join(' ');
  };
  const line = mainLineOf(record.root);
  return (
    <p class="sheet-turns">
      {line.map((node, index) => {
        const ply = index + first;
        const parent = index === 0 ? record.root : line[index - 1]!;
        const number = ply % 2 === 0 || index === 0 ? `${numberOf(ply)}\u00a0` : '';
        return (
          <>
            <span class={node === at ? 'sheet-turn shown' : 'sheet-turn'}>
              {number}
              {node.turn}
            </span>{' '}
            {node.comment && <span class="sheet-comment">{node.comment} </span>}
            {parent.children.slice(1).map((other) => (
              <span key={other.turn} class="sheet-variation">
                ({variation(other, ply)}){' '}
              </span>
            ))}
          </>
        );
      })}
      {record.tags.Result !== '*' && <strong>{record.tags.Result}</strong>}
    </p>
  );
}

let place: HTMLElement | null = null;

/** The sheet is there only while the browser prints: preact draws it at once, before the page is taken. */
export function watchPrinter(): () => void {
  const begin = () => {
    place ??= document.createElement('div');
    place.className = 'print-only';
    document.body.append(place);
    document.documentElement.classList.add('printing');
    render(<Sheet />, place);
  };
  const end = () => {
    if (place) {
      render(null, place);
      place.remove();
    }
    document.documentElement.classList.remove('printing');
  };
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}
