// The board editor: pieces onto squares, the FEN both ways, and what the engine says of it.

import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Board } from '../board/Board';
import { TurnEntry } from '../board/entry';
import { squareAt } from '../board/geometry';
import { Piece } from '../board/pieces';
import { messageOf } from '../errors';
import { replaceGame } from '../formats/replace';
import { match, newMatch, view as shownView, tab } from '../game/store';
import {
  familyTitle,
  type Game,
  gameOf,
  games,
  isVariant,
  lettersOf,
  sizesOf,
  type VariantId,
} from '../games';
import { session } from '../host';
import { say } from '../live';
import { phrase } from '../messages';
import { pieceName, sideName } from '../names';
import type { LegalMoves, Side } from '../protocol';
import { type BoardView, type Letter, type Square, viewOf, writeFen } from '../squares';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import './editor.css';
import { clear, exchange, LARGEST, mirror, move, put, resize, SMALLEST, startOf, variantFor } from './model';

/** Hands every chosen square on instead of entering a turn. */
class SquareEntry extends TurnEntry {
  constructor(private readonly chosen: (square: Square) => void) {
    super(signal(null), () => {});
  }

  override choose(square: Square): void {
    this.chosen(square);
  }
}

type Tool = Letter | 'move' | 'erase';

interface Verdict {
  ok: boolean;
  text: string;
  /** The position as the engine has understood it. */
  told?: LegalMoves;
}

const SIZES = Array.from({ length: LARGEST - SMALLEST + 1 }, (_, index) => index + SMALLEST);
/** Milliseconds of quiet before the engine is asked. */
const QUIET = 200;

export function EditorDialog() {
  const state = useMemo(() => new EditorState(), []);
  useEffect(() => () => state.close(), [state]);
  const variant = state.variant.value;
  const rules = gameOf(variant);
  const view = state.view.value;
  const verdict = state.verdict.value;
  return (
    <Dialog title={phrase('tools.setUp')} wide>
      <div class="editor">
        <div class="editor-board">
          <EditorBoard state={state} rules={rules} />
          <Palette state={state} rules={rules} />
        </div>
        <div class="editor-side">
          <label class="field">
            {phrase('new.ruleSet')}
            <select
              value={sizesOf(variant)[0]?.id}
              onChange={(event) => state.choose(event.currentTarget.value)}
            >
              {choices().map(([group, list]) => (
                <optgroup key={group} label={group}>
                  {list.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </label>
          {sizesOf(variant).length > 1 && (
            <fieldset class="sizes">
              <legend>{phrase('board.label')}</legend>
              <label>
                <span class="visually-hidden">{phrase('editor.width')}</span>
                <select
                  value={view.width}
                  onChange={(event) =>
                    state.edit((at) => resize(at, Number(event.currentTarget.value), at.height))
                  }
                >
                  {SIZES.map((size) => (
                    <option key={size}>{size}</option>
                  ))}
                </select>
              </label>
              <span aria-hidden="true">×</span>
              <label>
                <span class="visually-hidden">{phrase('editor.height')}</span>
                <select
                  value={view.height}
                  onChange={(event) =>
                    state.edit((at) => resize(at, at.width, Number(event.currentTarget.value)))
                  }
                >
                  {SIZES.map((size) => (
                    <option key={size}>{size}</option>
                  ))}
                </select>
              </label>
            </fieldset>
          )}
          <fieldset class="sides">
            <legend>{phrase('editor.toMove')}</legend>
            <div class="choices">
              {(['white', 'black'] as Side[]).map((side) => (
                <label key={side}>
                  <input
                    type="radio"
                    name="editor-side"
                    checked={view.side === side}
                    onChange={() => state.edit((at) => ({ ...at, side }))}
                  />
                  {sideName[side]}
                </label>
              ))}
            </div>
          </fieldset>
          {rules.stones && (
            <label class="check">
              <input
                type="checkbox"
                checked={view.moveOnly}
                onChange={(event) => {
                  const moveOnly = event.currentTarget.checked;
                  state.edit((at) => ({ ...at, moveOnly }));
                }}
              />
              {phrase('editor.moveOnly')}
            </label>
          )}
          <div class="buttons">
            <button
              type="button"
              onClick={() => state.edit(() => startOf(variantFor(variant, state.view.peek())))}
            >
              {phrase('editor.start')}
            </button>
            <button type="button" onClick={() => state.edit(clear)}>
              {phrase('editor.clear')}
            </button>
            <button type="button" onClick={() => state.edit((at) => mirror(at, rules))}>
              {phrase('editor.mirror')}
            </button>
            <button type="button" onClick={() => state.edit(exchange)}>
              {phrase('editor.swap')}
            </button>
          </div>
          <label class="field">
            FEN
            <textarea
              class="fen"
              rows={2}
              spellcheck={false}
              value={state.text.value}
              onInput={(event) => state.type(event.currentTarget.value)}
            />
          </label>
          <p class={verdict.ok ? 'editor-verdict' : 'editor-verdict wrong'} role="status">
            {verdict.text}
          </p>
          <div class="buttons">
            <button type="button" class="primary" disabled={!verdict.ok} onClick={() => state.take('play')}>
              {phrase('editor.play')}
            </button>
            <button type="button" disabled={!verdict.ok} onClick={() => state.take('analyse')}>
              {phrase('editor.analyse')}
            </button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}

/** By families; one entry for the Amazons of all sizes. */
function choices(): [string, Game[]][] {
  const classic = games.filter(({ id }) => sizesOf(id)[0]?.id === id);
  const families = new Set(classic.map(({ family }) => family));
  return [...families].map((family) => [
    familyTitle(family),
    classic.filter((game) => game.family === family),
  ]);
}

class EditorState {
  readonly variant: Signal<VariantId>;
  readonly view: Signal<BoardView>;
  readonly text: Signal<string>;
  readonly tool = signal<Tool>('move');
  /** With the tool `move`: the piece that was taken up. */
  readonly held = signal<Square | null>(null);
  /** Where a dragged piece would fall. */
  readonly over = signal<Square | null>(null);
  readonly verdict = signal<Verdict>({ ok: false, text: phrase('editor.asking') });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor() {
    this.variant = signal(match.peek().setup.variant);
    this.view = signal(shownView.peek());
    this.text = signal(writeFen(this.view.peek()));
    this.check();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  choose(id: string): void {
    if (!isVariant(id)) return;
    const before = gameOf(this.variant.peek()).family;
    this.variant.value = id;
    if (gameOf(id).family !== before) {
      this.tool.value = 'move';
      this.edit(() => startOf(id));
    } else {
      this.type(this.text.peek());
    }
  }

  edit(change: (view: BoardView) => BoardView): void {
    this.held.value = null;
    this.view.value = change(this.view.peek());
    this.text.value = writeFen(this.view.peek());
    this.check();
  }

  /** The board waits for what the engine makes of a text. */
  type(text: string): void {
    this.text.value = text;
    this.held.value = null;
    this.check();
  }

  click(square: Square): void {
    const tool = this.tool.peek();
    const view = this.view.peek();
    const here = view.pieces.get(square);
    const rules = gameOf(this.variant.peek());
    if (tool === 'move') {
      const from = this.held.peek();
      if (from === null) {
        if (here === undefined) return;
        this.held.value = square;
        say(phrase('editor.takenUp', { piece: pieceName(here, rules), square }));
      } else {
        this.edit((at) => move(at, from, square));
        if (from !== square) say(phrase('editor.put', { square }));
      }
    } else {
      const letter = tool === 'erase' || here === tool ? null : tool;
      this.edit((at) => put(at, square, letter));
      say(
        letter === null
          ? phrase('editor.cleared', { square })
          : phrase('editor.placed', { piece: pieceName(letter, rules), square }),
      );
    }
  }

  /** Going over squares with the pointer pressed. */
  paint(square: Square): void {
    const tool = this.tool.peek();
    if (tool !== 'move') this.edit((at) => put(at, square, tool === 'erase' ? null : tool));
  }

  erase(square: Square): void {
    this.edit((at) => put(at, square, null));
    say(phrase('editor.cleared', { square }));
  }

  private check(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), QUIET);
  }

  /** The engine's answer on the position that a text means. Rejects with the fault in the text. */
  private async read(text: string): Promise<LegalMoves> {
    // Of a game with names for its sizes the first takes boards of any size.
    const variant = sizesOf(this.variant.peek())[0]!.id;
    const look = (fen: string) => session.ask({ action: 'legal_moves', variant, fen, includePosition: true });
    try {
      return await look(text);
    } catch (damaged) {
      // Perhaps there are words around it, or turns behind it.
      const { games, warnings } = await session.ask({ action: 'read_games', text, variant, count: 1 });
      const fen = games[0]?.record.final_fen;
      if (fen === undefined) throw damaged;
      if (warnings[0]) throw new Error(warnings[0].message);
      return look(fen);
    }
  }

  /** Words around the position are taken off and turns behind it are played; the board shows where they lead. */
  private async ask(): Promise<void> {
    const text = this.text.peek();
    const current = () => !this.closed && text === this.text.peek();
    try {
      const told = await this.read(text);
      if (!current()) return;
      if (told.position) this.view.value = viewOf(told.position);
      const { moves: legal, outcome, currentPlayer } = told;
      const ended =
        outcome === 'draw'
          ? phrase('result.aDraw')
          : outcome && phrase('editor.won', { side: sideName[outcome] });
      this.verdict.value = {
        ok: true,
        told,
        text: ended
          ? phrase('editor.over', { result: ended })
          : phrase('editor.turns', { side: sideName[currentPlayer], count: legal.length }),
      };
    } catch (error) {
      if (current()) this.verdict.value = { ok: false, text: messageOf(error) };
    }
  }

  take(to: 'play' | 'analyse'): void {
    const { told } = this.verdict.peek();
    if (!told?.position) return;
    const variant = variantFor(this.variant.peek(), viewOf(told.position));
    const { setup } = match.peek();
    const start = told.fen === gameOf(variant).start ? null : told.fen;
    replaceGame(newMatch({ ...setup, variant, start }, told));
    tab.value = to;
    closeDialog();
  }
}

/** The square under the pointer. */
function pointedAt(grid: Element, event: MouseEvent, view: BoardView): Square | null {
  const matrix = grid.querySelector<SVGSVGElement>('svg.board')?.getScreenCTM();
  if (!matrix) return null;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return squareAt(point, view, 'white');
}

/** The square that has the focus: its label begins with its name. */
function focusedSquare(target: EventTarget | null): Square | null {
  const label = target instanceof Element ? (target.getAttribute('aria-label') ?? '') : '';
  return /^[a-k]\d+(?=,)/.exec(label)?.[0] ?? null;
}

/** Keys go through the board itself, which calls `choose`. The pointer is handled here: it puts, paints and drags. */
function EditorBoard({ state, rules }: { state: EditorState; rules: Game }) {
  const entry = useMemo(() => new SquareEntry((square) => state.click(square)), [state]);
  const grid = useRef<HTMLDivElement>(null);
  const pressed = useRef<{ square: Square; moved: boolean } | null>(null);
  const at = (event: MouseEvent) => grid.current && pointedAt(grid.current, event, state.view.peek());
  const marked = [state.held.value, state.over.value].filter((square) => square !== null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: these are shortcuts; the grid inside is what is interactive
    <div
      ref={grid}
      class={state.tool.value === 'move' ? 'editor-squares hand' : 'editor-squares'}
      onKeyDown={(event) => {
        const square = focusedSquare(event.target);
        if (square && (event.key === 'Delete' || event.key === 'Backspace')) {
          state.erase(square);
          event.preventDefault();
        } else if (/^[0-9]$/.test(event.key)) {
          const tools: Tool[] = ['move', ...lettersOf(rules), 'erase'];
          const tool = tools[Number(event.key) - 1];
          if (tool) state.tool.value = tool;
        }
      }}
      onPointerDownCapture={(event) => {
        const square = at(event);
        if (!square) return;
        event.stopPropagation();
        if (event.button === 2) return state.erase(square);
        pressed.current = { square, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
        state.click(square);
      }}
      onPointerMoveCapture={(event) => {
        const down = pressed.current;
        if (!down) return;
        event.stopPropagation();
        const square = at(event);
        if (!square || square === down.square) return;
        down.moved = true;
        if (state.tool.peek() === 'move') {
          if (state.held.peek() !== null) state.over.value = square;
        } else {
          down.square = square;
          state.paint(square);
        }
      }}
      onPointerUpCapture={(event) => {
        const down = pressed.current;
        pressed.current = null;
        state.over.value = null;
        if (!down) return;
        event.stopPropagation();
        const square = at(event);
        if (!down.moved || state.tool.peek() !== 'move' || state.held.peek() === null) return;
        if (square) state.click(square);
        // Off the board: the piece is taken away.
        else state.erase(state.held.peek()!);
      }}
      onPointerCancelCapture={() => {
        pressed.current = null;
        state.over.value = null;
      }}
      // A tap of a screen reader comes as a click alone, without a pointer.
      onClickCapture={(event) => {
        if (event.detail > 0) event.stopPropagation();
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Board
        rules={rules}
        view={state.view.value}
        bottom="white"
        entry={entry}
        last={marked.length > 0 ? marked : undefined}
        coordinates={true}
        label={phrase('editor.label')}
      />
    </div>
  );
}

function Palette({ state, rules }: { state: EditorState; rules: Game }) {
  const tools: Tool[] = ['move', ...lettersOf(rules), 'erase'];
  return (
    <div class="palette" role="radiogroup" aria-label={phrase('editor.tools')}>
      {tools.map((tool, index) => {
        const name = tool === 'move' || tool === 'erase' ? phrase(`editor.${tool}`) : pieceName(tool, rules);
        return (
          <label
            key={tool}
            title={phrase('editor.tool', { name, number: index + 1 })}
            class={state.tool.value === tool ? 'tool chosen' : 'tool'}
          >
            <input
              type="radio"
              class="visually-hidden"
              name="editor-tool"
              checked={state.tool.value === tool}
              onChange={() => {
                state.tool.value = tool;
                state.held.value = null;
              }}
            />
            <span class="visually-hidden">{name}</span>
            {tool === 'move' || tool === 'erase' ? (
              <svg viewBox="0 0 24 24" aria-hidden="true" class="tool-icon">
                <path d={tool === 'move' ? HAND : CROSS} />
              </svg>
            ) : (
              <svg viewBox="-50 -50 100 100" aria-hidden="true" class="board">
                <Piece letter={tool} rules={rules} />
              </svg>
            )}
          </label>
        );
      })}
    </div>
  );
}

const HAND =
  'M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3';
const CROSS = 'M6 6l12 12M18 6L6 18';
