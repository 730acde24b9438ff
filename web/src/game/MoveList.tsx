// The turns of the game: the main line in two columns, variations indented below the turn that they replace.
// Keys in the list: left and right step through the line, up and down change between the variations of a turn, Home and
// End go to its ends; where the tree may be changed, Delete takes out what begins at the turn and P promotes it.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { say } from '../live';
import { phrase } from '../messages';
import { sideName } from '../names';
import { shortForm } from '../turns';
import { BACK, IconButton } from '../ui/IconButton';
import { withWords, wordsIn } from './drawn';
import { type MoveRow, moveRows, type RowStart, turnNumber } from './moverows';
import { startOfNumbers } from './numbers';
import { ShortTurn } from './ShortTurn';
import { current, drop, go, kinds, match, revision, touch } from './store';
import { type GameNode, lastOf, line, promote } from './tree';

interface Removed {
  node: GameNode;
  parent: GameNode;
  place: number;
}

const removed = signal<Removed | null>(null);
const commenting = signal<GameNode | null>(null);

function isMain(node: GameNode): boolean {
  return line(node).every((at) => !at.parent || at.parent.children[0] === at);
}

function takeOut(node: GameNode): void {
  const { parent } = node;
  if (!parent) return;
  removed.value = { node, parent, place: parent.children.indexOf(node) };
  drop(node);
  say(phrase('moves.takenOut'));
}

function putBack(): void {
  const last = removed.peek();
  if (!last) return;
  last.parent.children.splice(last.place, 0, last.node);
  removed.value = null;
  go(last.node);
  touch();
}

function promoteHere(node: GameNode): void {
  if (isMain(node)) return;
  promote(node);
  touch();
  say(phrase('moves.promoted'));
}

/** The next alternative to this turn, or to the nearest turn before it that has one. */
function sibling(node: GameNode, by: number): GameNode {
  // The nearest turn at which the line could have gone another way.
  for (let at = node; at.parent; at = at.parent) {
    const { children } = at.parent;
    if (children.length > 1)
      return children[(children.indexOf(at) + by + children.length) % children.length]!;
  }
  return node;
}

function onKey(event: KeyboardEvent, edit: boolean): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof HTMLTextAreaElement) return;
  const node = current.peek();
  const target: Record<string, () => GameNode | null | undefined> = {
    ArrowLeft: () => node.parent,
    ArrowRight: () => node.children[0],
    ArrowUp: () => sibling(node, -1),
    ArrowDown: () => sibling(node, 1),
    Home: () => match.peek().tree.root,
    End: () => lastOf(node),
  };
  const find = target[event.key];
  if (find) {
    const found = find();
    if (found) go(found);
  } else if (edit && event.key === 'Delete') {
    takeOut(node);
  } else if (edit && event.key.toLowerCase() === 'p') {
    promoteHere(node);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

export function MoveList({ edit = false }: { edit?: boolean }) {
  revision.value;
  const { root } = match.value.tree;
  const start = startOfNumbers(root);
  const node = current.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = list.current;
    const at = frame?.querySelector<HTMLElement>('[aria-current]');
    if (!frame || !at) return;
    // Not `scrollIntoView`: the page itself must stay where it is.
    const [box, row] = [frame.getBoundingClientRect(), at.getBoundingClientRect()];
    if (row.top < box.top || row.bottom > box.bottom)
      frame.scrollTop += row.top - box.top - frame.clientHeight / 2;
    if (frame.contains(document.activeElement) && document.activeElement instanceof HTMLButtonElement)
      at.focus();
    // What comes to stand above the list makes it lower.
  }, [node, node.outcome, node.decided, match.value.ending]);
  return (
    <div class="move-list">
      <div
        ref={list}
        class="turn-list"
        role="group"
        aria-label={phrase('moves.title')}
        onKeyDown={(event) => onKey(event, edit)}
      >
        <div class="move-row start">
          <TurnButton node={root} start={start}>
            {phrase('moves.start')}
          </TurnButton>
        </div>
        {root.children.length === 0 && <p class="quiet">{phrase('moves.none')}</p>}
        {moveRows(root, start).map((row) => (
          <Row key={keyOf(row)} row={row} start={start} />
        ))}
      </div>
      {edit && <Tools node={node} />}
    </div>
  );
}

function keyOf(row: MoveRow): string {
  if (row.kind === 'turns') return `t${(row.white ?? row.black)?.id}`;
  return row.kind === 'comment' ? `c${row.node.id}` : `v${row.lines[0]?.id}`;
}

function Row({ row, start }: { row: MoveRow; start: RowStart }) {
  if (row.kind === 'comment') return <p class="move-comment">{wordsIn(row.node.comment)}</p>;
  if (row.kind === 'variations') return <Variations lines={row.lines} start={start} />;
  return (
    <div class="move-row">
      <span class="move-number">{row.number}</span>
      {row.white ? <TurnButton node={row.white} start={start} /> : <span class="move-gap">…</span>}
      {row.black && <TurnButton node={row.black} start={start} />}
    </div>
  );
}

function Variations({ lines, start }: { lines: readonly GameNode[]; start: RowStart }) {
  return (
    <div
      class="variations"
      role="group"
      aria-label={phrase(lines.length === 1 ? 'moves.variation' : 'moves.variations')}
    >
      {lines.map((first) => (
        <Variation key={first.id} first={first} start={start} />
      ))}
    </div>
  );
}

/** One line of turns in running text; what branches off stands below it, indented further. */
function Variation({ first, start }: { first: GameNode; start: RowStart }) {
  const parts: ComponentChildren[] = [];
  let run: ComponentChildren[] = [];
  const flush = () => {
    if (run.length > 0)
      parts.push(
        <div key={parts.length} class="variation">
          {run}
        </div>,
      );
    run = [];
  };
  let numbered = false;
  for (let node: GameNode | undefined = first; node; node = node.children[0]) {
    const { number, side } = turnNumber(node, start);
    if (side === 'white' || !numbered)
      run.push(
        <span key={`n${node.id}`} class="move-number">
          {side === 'white' ? `${number}.` : `${number}…`}
        </span>,
      );
    numbered = true;
    run.push(<TurnButton key={node.id} node={node} start={start} />);
    if (wordsIn(node.comment))
      run.push(
        <span key={`c${node.id}`} class="move-comment">
          {wordsIn(node.comment)}
        </span>,
      );
    const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
    if (others.length > 0) {
      flush();
      parts.push(<Variations key={`v${node.id}`} lines={others} start={start} />);
      numbered = false;
    }
  }
  flush();
  return <div class="variation-block">{parts}</div>;
}

function TurnButton({
  node,
  start,
  children,
}: {
  node: GameNode;
  start: RowStart;
  children?: ComponentChildren;
}) {
  const here = node === current.value;
  const kind = node.verdict?.kind;
  const { number, side } = turnNumber(node, start);
  const turn = shortForm(node.turn);
  const told = node.parent ? phrase('moves.turn', { number, side: sideName[side], turn }) : undefined;
  const judged = kind && phrase(`kind.name.${kind}`);
  const label = told && judged ? phrase('moves.judged', { turn: told, kind: judged }) : told;
  return (
    <button
      type="button"
      class={`turn ${kind ?? ''}`}
      tabIndex={here ? 0 : -1}
      aria-current={here ? 'true' : undefined}
      aria-label={label}
      onClick={() => go(node)}
    >
      {children ?? <ShortTurn turn={node.turn} />}
      {kind && (
        <span class={`glyph ${kind}`} aria-hidden="true" title={judged}>
          {kinds.value.find(({ name }) => name === kind)?.sign}
        </span>
      )}
    </button>
  );
}

function Tools({ node }: { node: GameNode }) {
  const writing = commenting.value === node;
  return (
    <>
      <div class="move-tools" role="group" aria-label={phrase('moves.tools')}>
        <IconButton
          label={phrase('moves.promote')}
          drawing="M12 20V5M6 11l6-6l6 6"
          disabled={isMain(node)}
          onClick={() => promoteHere(node)}
        />
        <IconButton
          label={phrase(wordsIn(node.comment) ? 'moves.editComment' : 'moves.comment')}
          drawing="M4 5h16v11H10l-4 4v-4H4z"
          aria-expanded={writing}
          onClick={() => (commenting.value = writing ? null : node)}
        />
        <IconButton
          label={phrase('moves.delete')}
          drawing="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13"
          disabled={!node.parent}
          onClick={() => takeOut(node)}
        />
        {removed.value && <IconButton label={phrase('moves.undoDelete')} drawing={BACK} onClick={putBack} />}
      </div>
      {writing && <CommentBox node={node} />}
    </>
  );
}

function CommentBox({ node }: { node: GameNode }) {
  const box = useRef<HTMLTextAreaElement>(null);
  // At once: whoever types on must not lose the first letter.
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <label class="comment-box">
      {node.parent ? phrase('moves.commentOn', { turn: shortForm(node.turn) }) : phrase('moves.commentGame')}
      <textarea
        ref={box}
        rows={3}
        maxLength={2000}
        defaultValue={wordsIn(node.comment)}
        onInput={(event) => {
          node.comment = withWords(node.comment, event.currentTarget.value);
          touch();
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') commenting.value = null;
        }}
      />
    </label>
  );
}

// Another game: nothing of the old one can be put back.
match.subscribe(() => {
  removed.value = null;
  commenting.value = null;
});
