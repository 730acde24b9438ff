// The printed sheet: names, a diagram of the position that is shown, the turns in columns with their variations.

import { render } from 'preact';
import { Board } from '../board/Board';
import { wordsIn } from '../game/drawn';
import { startOfNumbers } from '../game/numbers';
import { bottom, current, game, match, view } from '../game/store';
import { type GameNode, type GameTree, mainLine } from '../game/tree';
import { phrase } from '../messages';
import { sideName } from '../names';
import { squaresOfTurn } from '../turns';
import { tagsOf } from './record';

/** The position on the board, for paper and for pictures. */
export function Diagram({ label }: { label?: string }) {
  const { last } = current.peek();
  return (
    <Board
      rules={game.peek()}
      view={view.peek()}
      bottom={bottom.peek()}
      last={last ? squaresOfTurn(last) : undefined}
      coordinates={true}
      label={label}
    />
  );
}

export function Sheet() {
  const { tree } = match.peek();
  const tags = tagsOf(match.peek());
  const { White: white, Black: black, Result: result, Date: date, Event: event } = tags;
  const named = known(white) !== '' || known(black) !== '';
  const { turn, ply, outcome } = current.peek();
  const { title } = game.peek();
  const { mover, number } = startOfNumbers(tree.root);
  const first = 2 * (number - 1) + (mover === 'black' ? 1 : 0);
  const shown = turn ? phrase('sheet.after', { turn: `${numberOf(ply - 1 + first)} ${turn}` }) : '';
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
        <Diagram label={phrase('sheet.position')} />
        <figcaption>
          {shown}{' '}
          {outcome === null
            ? phrase('foot.toMove', { side: sideName[view.peek().side] })
            : outcome === 'draw'
              ? phrase('sheet.draw')
              : phrase('foot.won', { side: sideName[outcome] })}
          <br />
          <code>{current.peek().fen}</code>
        </figcaption>
      </figure>
      {wordsIn(tree.root.comment) && <p class="sheet-comment">{wordsIn(tree.root.comment)}</p>}
      <Turns tree={tree} first={first} result={result} />
    </article>
  );
}

/** A tag's text; empty where PGN marks it as unknown (`?`) or as not applying (`-`). */
function known(tag = ''): string {
  return /^[?.*-]*$/.test(tag) ? '' : tag;
}

function numberOf(ply: number): string {
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? '.' : '…'}`;
}

function Turns({ tree, first, result }: { tree: GameTree; first: number; result: string | undefined }) {
  const at = current.peek();
  const variation = (from: GameNode, ply: number): string => {
    const words: string[] = [];
    let node: GameNode | undefined = from;
    for (let here = ply; node; here += 1) {
      words.push(`${here === ply || here % 2 === 0 ? `${numberOf(here)} ` : ''}${node.turn}`);
      const comment = wordsIn(node.comment);
      if (comment) words.push(comment);
      const [main, ...others]: GameNode[] = node.children;
      node = main;
      for (const other of others) words.push(`(${variation(other, here + 1)})`);
    }
    return words.join(' ');
  };
  const line = mainLine(tree.root).slice(1);
  return (
    <p class="sheet-turns">
      {line.map((node, index) => {
        const ply = index + first;
        const number = ply % 2 === 0 || index === 0 ? `${numberOf(ply)}\u00a0` : '';
        return (
          <>
            <span class={node === at ? 'sheet-turn shown' : 'sheet-turn'}>
              {number}
              {node.turn}
            </span>{' '}
            {wordsIn(node.comment) && <span class="sheet-comment">{wordsIn(node.comment)} </span>}
            {node.parent?.children.slice(1).map((other) => (
              <span key={other.turn} class="sheet-variation">
                ({variation(other, ply)}){' '}
              </span>
            ))}
          </>
        );
      })}
      {result !== '*' && <strong>{result}</strong>}
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
