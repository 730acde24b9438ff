// The best lines as text: values, then the turns expected. A turn shows its position on hover and focus, and plays the
// line up to itself as a variation when it is chosen.
import { batch, computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Board } from '../board/Board';
import { ShortTurn } from '../game/ShortTurn';
import {
  ownTurns,
  type Proven,
  percent,
  provenWords,
  shortNumber,
  shortPercent,
  standing,
} from '../game/standing';
import { bottom, current, game, legal, playTurn, positionOf } from '../game/store';
import type { GameNode } from '../game/tree';
import { session } from '../host';
import { phrase } from '../messages';
import { sideName } from '../names';
import type { LegalMoves, MoveInfo, Side } from '../protocol';
import { viewOf } from '../squares';
import { lineOf, squaresOfTurn } from '../turns';
import { focusBoard } from '../ui/sight';
import { busy, findings } from './analyser';
import { choose, MOST_LINES, options } from './options';
import { hovered } from './overlay';

/** Turns of a line that are written out; what follows is played on demand. */
const WRITTEN = 8;

/** Among hundreds of turns most have less, which says nothing. */
const LEAST_PRIOR = 0.01;

interface Preview {
  /** The first turn of its line. */
  line: string;
  turn: number;
  told: LegalMoves | null;
}

const preview = signal<Preview | null>(null);

/** Lines that stand still while the pointer moves over them or the focus is in them, and the position they are of. */
const held = signal<{ node: GameNode; lines: readonly MoveInfo[] } | null>(null);

const shownLines = computed<readonly MoveInfo[]>(() => {
  const { lines } = findings.value;
  if (held.value?.node !== current.value) return lines.slice(0, options.value.lines);
  return held.value.lines.map((line) => upToDate(line, lines));
});

/** The newest values of a line, with the turns that it had. A line that fell out comes after all others. */
function upToDate(line: MoveInfo, lines: readonly MoveInfo[]): MoveInfo {
  const { move, pv, turns } = line;
  const now = lines.find((other) => other.move === move);
  if (!now) return { ...line, order: Math.max(line.order, lines.length) };
  return turns ? { ...now, pv, turns } : { ...now, pv };
}

function hold(): void {
  const node = current.peek();
  const lines = shownLines.peek();
  if (held.peek()?.node !== node && lines.length > 0) held.value = { node, lines };
}

function release(): void {
  batch(() => {
    held.value = null;
    hide();
  });
}

function show(node: GameNode, info: MoveInfo, turn: number): void {
  const before = preview.peek();
  if (before?.line === info.move && before.turn === turn) return;
  const wanted: Preview = { line: info.move, turn, told: null };
  batch(() => {
    hovered.value = info.move;
    preview.value = wanted;
  });
  const position = positionOf(node);
  const moves = [...(position.moves ?? []), ...info.pv.slice(0, turn + 1)];
  session
    .ask({ action: 'legal_moves', ...position, moves, includePosition: true })
    .then((told) => {
      if (preview.peek() === wanted) preview.value = { ...wanted, told };
    })
    // Without a position there is only the arrow.
    .catch(() => {});
}

function hide(): void {
  batch(() => {
    hovered.value = null;
    preview.value = null;
  });
}

/** Where the pointer was when a turn was chosen: new lines that appear under it are not pointed at yet. */
let chosenAt = '';

const place = ({ screenX, screenY }: MouseEvent) => `${screenX} ${screenY}`;

/** Where a line was played by keyboard: the focus waits at the lines for those of the next position. */
let left: GameNode | null = null;

function playLine(info: MoveInfo, turn: number): void {
  release();
  batch(() => {
    for (const move of lineOf(info).slice(0, turn + 1)) playTurn(move);
  });
}

export function Lines() {
  const { search, survey } = findings.value;
  const node = current.value;
  const mover = (search ?? survey)?.rootInfo.currentPlayer ?? 'white';
  const { lines: wanted, depth } = options.value;
  const lines = shownLines.value;
  const none = node.outcome !== null || (lines.length === 0 && depth === 'off');
  // Room is kept for all lines: nothing below moves when they come.
  const room = Math.min(wanted, legal.value?.turns.length ?? wanted);
  const box = useRef<HTMLDivElement>(null);
  const complete = lines.length > 0 && (lines.length >= room || busy.value === 'no');
  useEffect(() => {
    // An effect may run late, when the line has been played already, for the position before it.
    if (!left || left === node || !(none || complete)) return;
    left = null;
    if (none) focusBoard();
    else if (document.activeElement === box.current)
      box.current?.querySelector<HTMLElement>('.turn')?.focus();
  }, [node, none, complete]);
  if (none) return null;
  return (
    <div
      ref={box}
      class="lines"
      tabIndex={-1}
      style={{ '--lines': Math.max(room, lines.length) }}
      onPointerMove={(event) => place(event) !== chosenAt && hold()}
      onPointerLeave={(event) => !event.currentTarget.querySelector(':focus-visible') && release()}
      onFocusIn={({ target, currentTarget }) =>
        target !== currentTarget && (target as Element).matches(':focus-visible') && hold()
      }
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.matches(':hover') && !currentTarget.contains(relatedTarget as Node | null))
          release();
      }}
    >
      <ol aria-label={phrase('analysis.bestLines')}>
        {lines.map((info) => (
          <Line key={info.move} info={info} node={node} mover={mover} />
        ))}
      </ol>
    </div>
  );
}

export function LineCount() {
  const { lines } = options.value;
  return (
    <div class="stepper" role="group" aria-label={phrase('analysis.numberOfLines')}>
      <button
        type="button"
        aria-label={phrase('analysis.fewer')}
        disabled={lines <= 1}
        onClick={() => choose('lines', lines - 1)}
      >
        −
      </button>
      <span aria-live="polite" title={phrase('analysis.lines', { count: lines })}>
        {lines}
      </span>
      <button
        type="button"
        aria-label={phrase('analysis.more')}
        disabled={lines >= MOST_LINES}
        onClick={() => choose('lines', lines + 1)}
      >
        +
      </button>
    </div>
  );
}

function Line({ info, node, mover }: { info: MoveInfo; node: GameNode; mover: Side }) {
  const rules = game.value;
  const value = standing(info, mover);
  const shown = preview.value?.line === info.move ? preview.value : null;
  const facts = [
    value.proven ? provenWords(value.proven) : '',
    rules.draws && !value.proven ? phrase('analysis.draw', { share: percent(value.wdl[1] / 1000) }) : '',
    // A counted line has no visits.
    info.visits === 0
      ? ''
      : phrase('analysis.visits', { count: info.visits, visits: shortNumber(info.visits) }),
    info.prior === undefined || info.prior < LEAST_PRIOR
      ? ''
      : phrase('analysis.prior', { share: percent(info.prior) }),
    info.uncertain ? phrase('analysis.uncertain') : '',
  ].filter(Boolean);
  return (
    <li class={`best-line ${info.order === 0 ? 'first' : ''}`}>
      <span class="line-order" aria-hidden="true">
        {info.order + 1}
      </span>
      <span class="line-value" title={facts.join(' · ')}>
        <strong class={info.uncertain ? 'uncertain' : undefined}>
          {value.proven
            ? provenShort(value.proven)
            : phrase('analysis.share', { side: sideName[mover], share: `${shortPercent(info.winrate)}%` })}
        </strong>
        <span class="visually-hidden"> {facts.join(', ')} </span>
      </span>
      <span class="line-turns">
        {info.pv.slice(0, WRITTEN).map((turn, index) => (
          <button
            key={`${index} ${turn}`}
            type="button"
            class={`turn ${shown?.turn === index ? 'shown' : ''}`}
            onPointerMove={(event) => {
              if (event.pointerType === 'mouse' && place(event) !== chosenAt) show(node, info, index);
            }}
            onPointerLeave={hide}
            onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(node, info, index)}
            onBlur={hide}
            onClick={(event) => {
              chosenAt = place(event);
              const button = event.currentTarget;
              left = button.matches(':focus-visible') ? node : null;
              if (left) button.closest<HTMLElement>('.lines')?.focus();
              playLine(info, index);
            }}
          >
            <ShortTurn turn={turn} />
          </button>
        ))}
        {info.pv.length > WRITTEN && (
          <span class="more">{phrase('analysis.moreTurns', { count: info.pv.length - WRITTEN })}</span>
        )}
      </span>
      {shown?.told?.position && (
        <span class="preview" aria-hidden="true">
          <Board
            rules={rules}
            view={viewOf(shown.told.position)}
            bottom={bottom.value}
            last={shown.told.effects && squaresOfTurn(shown.told.effects)}
            coordinates={false}
            label={phrase('analysis.preview')}
          />
        </span>
      )}
    </li>
  );
}

/** "White wins in 5". */
function provenShort({ outcome, plies }: Proven): string {
  if (outcome === 'draw') return phrase('verdict.drawProven');
  const side = sideName[outcome];
  if (plies === null) return phrase('verdict.wins', { side });
  return phrase('verdict.winsInShort', { side, count: ownTurns(plies) });
}
