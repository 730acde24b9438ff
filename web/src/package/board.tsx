// `<hippolyta-board>`: the board as a custom element, for other sites. It needs no engine: whoever has one gives it the
// legal turns.
import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import look from '../../../crates/protocol/src/pictures/look.css?inline';
import { Board } from '../board/Board';
import { TurnEntry } from '../board/entry';
import type { BoardArrow } from '../board/layers';
import { type Game, gameOf, games, isVariant } from '../games';
import { spoken } from '../live';
import { language } from '../messages';
import { type Messages, spoken as spokenLanguage } from '../messages/catalogue';
import type { Side, TurnInfo } from '../protocol';
import { type BoardView, type Square, squaresIn, viewOf } from '../squares';
import boardStyle from '../styles/board.css?inline';
import tokens from '../styles/tokens.css?inline';
import { squaresOfTurn, type Turn, TurnIndex } from '../turns';
import { readFen } from './fen';

/** An arrow over the board: a turn, and how it looks. */
export interface Arrow {
  turn: string;
  /** By default `best` for the first, `other` for those after it. */
  kind?: 'best' | 'other' | 'hint' | 'threat' | 'played';
  /** A few characters on the piece that moves. */
  label?: string;
  /** 0 … 1, its width. */
  weight?: number;
}

/** The `detail` of the event `turn`: the turn that was entered, as text and as squares. */
export type EnteredTurn = Turn;

/** The events of the board beside those of every element. */
export interface HippolytaBoardEventMap extends HTMLElementEventMap {
  turn: CustomEvent<EnteredTurn>;
  /** A sentence on an attribute that cannot be read. */
  wrong: CustomEvent<string>;
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: it says more of methods that every element has
export interface HippolytaBoard {
  addEventListener<K extends keyof HippolytaBoardEventMap>(
    type: K,
    listener: (this: HippolytaBoard, event: HippolytaBoardEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof HippolytaBoardEventMap>(
    type: K,
    listener: (this: HippolytaBoard, event: HippolytaBoardEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'hippolyta-board': HippolytaBoard;
  }
}

const HOST = `
:host { display: block; font-family: system-ui, sans-serif; }
:host([hidden]) { display: none; }
.words { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/** Rules for the page's root apply to the element. */
const style = [look, tokens, boardStyle, HOST]
  .join('\n')
  .replace(/:root\[data-theme="(\w+)"\]/g, ':host([theme="$1"])')
  .replaceAll(':root', ':host');

/** `d1d7,d7g7`, `c2e4g6`: the squares on which the piece stands, and the one that it fires at. */
function squaresOfText(text: string): TurnInfo {
  const [way = '', shot = ''] = text.split(',');
  const fire = squaresIn(shot).at(-1);
  return { path: squaresIn(way) as TurnInfo['path'], ...(fire === undefined ? {} : { fire }) };
}

function wordsIn(text: string | null): string[] {
  return text?.trim().split(/\s+/).filter(Boolean) ?? [];
}

/**
 * Lets the boards of the page speak another language than English, named as `lang` names it. The package has the
 * messages of some, as `hippolyta/messages/it.json`; what is missing in them is said in English.
 */
export function speak(language: string, messages: Messages): void {
  spokenLanguage.value = { language, forms: language, messages };
}

/** A server that draws pages imports this module too, and has no elements. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * The board. Attributes: `variant` (`amazons`), `fen` (the start position), `turns` (the legal turns, with spaces
 * between them), `last` (the turn that led here), `arrows` (turns), `orientation` (`white` or `black`: the side at the
 * bottom), `interactive` (turns can be entered), `coordinates` (`off`), `theme` (`light` or `dark`; else the system's),
 * `label` (its name for screen readers). Events: `turn`, whose `detail` is an `EnteredTurn`; `wrong`, whose `detail` is
 * a sentence on an attribute that cannot be read: the board stays as it was then.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: see above
export class HippolytaBoard extends Base {
  static readonly observedAttributes = [
    'variant',
    'fen',
    'turns',
    'last',
    'arrows',
    'orientation',
    'interactive',
    'coordinates',
    'label',
  ];

  private readonly index = signal<TurnIndex | null>(null);
  private readonly entry = new TurnEntry(this.index, (turn) => this.entered(turn));
  private readonly place: HTMLElement;
  /** Read aloud. */
  private readonly words: HTMLElement;
  private rules: Game = gameOf('amazons');
  private view: BoardView = viewOf(this.rules.position);
  private given: readonly Arrow[] | null = null;
  private told: readonly (string | Turn)[] | null = null;
  /** Ends of what the element does while it is on a page. */
  private ends: readonly (() => void)[] = [];
  private waits = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    // No policy forbids it, as it forbids elements with styles.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    this.place = document.createElement('div');
    this.words = document.createElement('div');
    this.words.className = 'words';
    this.words.setAttribute('role', 'status');
    root.append(this.place, this.words);
  }

  connectedCallback(): void {
    this.ends = [
      effect(() => {
        const text = spoken.value;
        // Of several boards the one speaks that has the focus.
        if (this.shadowRoot?.activeElement) this.words.textContent = text;
      }),
      effect(() => {
        for (const part of [this.place, this.words]) part.lang = language.value;
      }),
    ];
    this.draw();
  }

  disconnectedCallback(): void {
    for (const end of this.ends) end();
    render(null, this.place);
  }

  attributeChangedCallback(name: string): void {
    if (name === 'arrows') this.given = null;
    if (name === 'turns') this.told = null;
    // Several attributes are often set one after another, and only together they make a position.
    if (this.waits) return;
    this.waits = true;
    queueMicrotask(() => {
      this.waits = false;
      if (this.isConnected) this.draw();
    });
  }

  /** The legal turns, as text or as an engine's `legalTurns` gives them: with their squares and what they capture. */
  get turns(): readonly (string | Turn)[] {
    return this.told ?? wordsIn(this.getAttribute('turns'));
  }

  set turns(turns: readonly (string | Turn)[]) {
    this.told = turns;
    this.draw();
  }

  /** Arrows that are drawn over the board. */
  get arrows(): readonly Arrow[] {
    return this.given ?? wordsIn(this.getAttribute('arrows')).map((turn) => ({ turn }));
  }

  set arrows(arrows: readonly Arrow[]) {
    this.given = arrows;
    this.draw();
  }

  get variant(): string {
    return this.rules.id;
  }

  set variant(name: string) {
    this.setAttribute('variant', name);
  }

  get fen(): string {
    return this.getAttribute('fen') ?? this.rules.start;
  }

  set fen(fen: string) {
    this.setAttribute('fen', fen);
  }

  get last(): string {
    return this.getAttribute('last') ?? '';
  }

  set last(turn: string) {
    this.setAttribute('last', turn);
  }

  /** Takes back what was entered of a turn. */
  clear(): void {
    this.entry.clear();
  }

  private entered(turn: Turn): void {
    this.dispatchEvent(new CustomEvent<EnteredTurn>('turn', { detail: turn, bubbles: true, composed: true }));
  }

  private wrong(words: string): void {
    this.dispatchEvent(new CustomEvent<string>('wrong', { detail: words, bubbles: true, composed: true }));
  }

  /** Reads the attributes; where one is wrong, what stood there stays. */
  private read(): void {
    const name = this.getAttribute('variant') ?? 'amazons';
    if (!isVariant(name)) {
      this.wrong(`variant: '${name}' is none of ${games.map(({ id }) => id).join(', ')}`);
      return;
    }
    const rules = gameOf(name);
    const fen = this.getAttribute('fen');
    try {
      this.view = fen === null ? viewOf(rules.position) : readFen(fen, rules);
      this.rules = rules;
    } catch (error) {
      this.wrong(`fen: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private arrow({ turn, kind, label = '', weight = 1 }: Arrow, at: number): BoardArrow {
    const { path, fire } = squaresOfText(turn);
    const squares = fire === undefined ? path : [...path, fire];
    return { squares, fires: fire !== undefined, kind: kind ?? (at === 0 ? 'best' : 'other'), label, weight };
  }

  private draw(): void {
    if (!this.isConnected) return;
    this.read();
    const turns = this.turns.map((turn) =>
      typeof turn === 'string' ? { text: turn, ...squaresOfText(turn) } : turn,
    );
    const isPlayed = this.hasAttribute('interactive');
    this.index.value = isPlayed ? new TurnIndex({ moves: turns.map(({ text }) => text), turns }) : null;
    const last = this.getAttribute('last');
    render(
      <Board
        rules={this.rules}
        view={this.view}
        bottom={(this.getAttribute('orientation') === 'black' ? 'black' : 'white') satisfies Side}
        entry={isPlayed ? this.entry : undefined}
        last={last ? (squaresOfTurn(squaresOfText(last)) satisfies Square[]) : undefined}
        arrows={this.arrows.map((arrow, at) => this.arrow(arrow, at)).toReversed()}
        coordinates={this.getAttribute('coordinates') !== 'off'}
        label={this.getAttribute('label') ?? undefined}
      />,
      this.place,
    );
  }
}

if (globalThis.customElements && !customElements.get('hippolyta-board'))
  customElements.define('hippolyta-board', HippolytaBoard);
