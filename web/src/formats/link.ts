// A game in the fragment of an address: #v=amazons6&f=FEN&m=b1b4c4_e6e3c3_~d6d2c2._…&t=2
// In the address of a view of the page other than Play, the view stands before it: #/analyse?v=…
//
//   v  rule set; of one's own its rules, as a line of TOML in percent signs
//   f  where the game began, if not at the rule set's start: the FEN with `_` for blanks
//   m  turns, `_` between them, two characters a square (ranks 10 and 11 are `A` and `B`); `~…` up to `.` is a variation in
//      place of the turn before it
//   t  the turn that is shown, counted as written, 0 for the start; the last of the main line if left out
//   a  what people drew on the position that is shown: squares and arrows, `_` between them
//
// Links are also read as they come back from mails, chats and other people's pages: with `&amp;`, percent signs, keys in
// capitals, turns spelled in full, a bracket or a full stop behind them. What is not understood is said.
//
// Words do not travel. All characters may stand in a fragment as they are, and none at the end of a link is one that
// mail programs take for the end of a sentence.

import { commentOf, type Drawn, drawnIn } from '../game/drawn';
import { type GameNode, type GameTree, lastOf, line, newTree, play } from '../game/tree';
import { gameOf, isOwn, isVariant, type VariantId } from '../games';
import { phrase } from '../messages';
import { infoOf, isKnown, isLine } from '../own';
import { squaresIn } from '../squares';

/** Longer links are cut by some programs. Variations stay behind first. */
export const MAX_LINK = 8000;

/** Whoever opens a link did not choose what is in it: it must not keep the engine busy for long. */
const MAX_READ = 40_000;

export interface Linked {
  /** Its turns are spelled as in the link, and need not be legal. */
  tree: GameTree;
  /** The node that is shown. */
  shown: GameNode;
  /** Parts that were not understood, in sentences for people. */
  problems: string[];
}

/** Two characters a square, and none twice: `d1d10,d10g10` names the amazon's new square again. */
function shortTurn(turn: string): string {
  return turn
    .replace(/,[a-k]\d+/i, '')
    .replace(/10/g, 'A')
    .replace(/11/g, 'B');
}

/** In any case of letters: the first of a pair is a file, the second a rank. */
function longSquares(text: string): string | null {
  if (text.length % 2 !== 0 || !/^(?:[a-k][1-9ab])+$/i.test(text)) return null;
  return text
    .toLowerCase()
    .replace(/(.)(.)/g, (_, file, rank) => file + ({ a: '10', b: '11' }[rank as string] ?? rank));
}

/** The fragment without `#`. `whole` says whether the variations found room. */
export function writeLink(tree: GameTree, shown: GameNode): { fragment: string; whole: boolean } {
  const head = `v=${escaped(tree.variant)}${tree.start === null ? '' : `&f=${tree.start.replace(/ /g, '_')}`}`;
  const order = new Map<GameNode, number>();
  const turns = writeLine(tree.root, order);
  const at = order.get(shown) ?? 0;
  const drawn = drawnIn(shown.comment).map((squares) => shortTurn(squares.join('')));
  const end = drawn.length > 0 ? `&a=${drawn.join('_')}` : '';
  const fragment = `${head}${turns ? `&m=${turns}` : ''}${end}&t=${at}`;
  if (fragment.length <= MAX_LINK) return { fragment, whole: true };
  const path = line(lastOf(shown));
  const alone = path.slice(1).map((node) => shortTurn(node.turn));
  return { fragment: `${head}&m=${alone.join('_')}${end}&t=${path.indexOf(shown)}`, whole: false };
}

/** Rules have blanks, quotes and brackets, which programs for mail take for the end of a link. */
function escaped(variant: VariantId): string {
  const inPercent = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return isOwn(variant) ? encodeURIComponent(variant).replace(/['()*!~]/g, inPercent) : variant;
}

/** Each turn, then its variations, then what follows it. Only variations nest. */
function writeLine(from: GameNode, order: Map<GameNode, number>): string {
  const words: string[] = [];
  const add = (node: GameNode) => {
    order.set(node, order.size + 1);
    return shortTurn(node.turn);
  };
  for (let at = from; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children as [GameNode, ...GameNode[]];
    words.push(add(main));
    for (const other of others) {
      const first = add(other);
      const rest = writeLine(other, order);
      words.push(`~${first}${rest ? `_${rest}` : ''}.`);
    }
  }
  return words.join('_');
}

/** Whether a link and the engine spell the same turn. */
export function isSpelled(turn: string, linked: string): boolean {
  const short = (text: string) =>
    shortTurn(text)
      .match(/[a-k][1-9AB]/gi)
      ?.join('')
      .toLowerCase();
  return short(turn) === short(linked);
}

/** The fields of a link, whatever a mail program or a page made of it; `null` if it is none of ours. */
function fieldsOf(fragment: string, problems: string[]): Map<string, string> | null {
  let text = fragment.trim().replace(HEAD, '');
  // All of it in percent signs.
  if (!text.includes('=') && /%3d/i.test(text)) text = decode(text);
  // `&amp;`, also made so twice.
  while (AMPERSAND.test(text)) text = text.replace(AMPERSAND, '&');
  // Quoted-printable: `=3D`.
  if (/(?:^|&)v=3D/i.test(text)) text = text.replace(/=3D/gi, '=');
  const parts = text.split('&').filter((part) => part.trim() !== '');
  const fields = new Map<string, string>();
  const strange: string[] = [];
  for (const part of parts) {
    const at = part.indexOf('=');
    const key = part.slice(0, Math.max(0, at)).trim().toLowerCase();
    if (!KEYS.includes(key) || fields.has(key)) strange.push(part);
    else fields.set(key, fieldOf(key, part.slice(at + 1)));
  }
  if (!['v', 'f', 'm'].some((key) => fields.has(key))) return null;
  for (const part of strange) {
    // An entity that stood behind the link, such as `&gt;`.
    if (/^(?:gt|quot|apos|nbsp|#\d+);[^=]*$/.test(part) && part === parts.at(-1)) continue;
    problems.push(phrase('link.strange', { part: part.slice(0, 40) }));
  }
  return fields;
}

/** Programs put backslashes before signs. In rules they may mean something, and stand as percent signs. */
function fieldOf(key: string, text: string): string {
  const plain = (value: string) => value.replace(/\\/g, '');
  return (key === 'v' ? decode(plain(text)) : plain(decode(text))).trim();
}

/** The rules that a link brings along; empty if it names a rule set that everybody has, or none. */
export function rulesOfLink(fragment: string): string {
  const rules = fragment.length > MAX_READ ? undefined : fieldsOf(fragment, [])?.get('v');
  return rules !== undefined && isLine(rules) ? rules : '';
}

/** The view that shows the game, and what some programs put in its place. */
const HEAD = /^#?(?:\/(?:play|analyse|review)\?|[/!?]*)/;
const KEYS = ['v', 'f', 'm', 't', 'a'];
const AMPERSAND = /&(?:amp|#0*38|#x0*26);/gi;
/** Squares, and what may stand between them. What they mean, and whether it is legal, the engine says. */
const SPELLED = /^(?:\(?[a-k](?:1[01]|[1-9])\)?[-–x×:,/]?){2,}$/i;
/** Signs that may follow a link in a text. */
const BEHIND = /[\s.,;:!?)\]}>"'`»”’…*]+$/;

/** `null` if the fragment is none of ours. Throws if nothing can be made of it. */
export function readLink(fragment: string): Linked | null {
  const problems: string[] = [];
  const fields = fieldsOf(fragment, problems);
  if (!fields) return null;
  if (fragment.length > MAX_READ) throw new Error(phrase('link.tooLong'));
  const named = fields.get('v');
  if (named === undefined) throw new Error(phrase('link.noRules'));
  const variant = isKnown(named) ? infoOf(named).line : named.replace(BEHIND, '').toLowerCase();
  if (!isVariant(variant)) throw new Error(phrase('link.unknownRules', { name: named.slice(0, 40) }));
  const fen = fields
    .get('f')
    ?.replace(/[_+\s]+/g, ' ')
    .replace(/[.,;:!?)\]}>"'`]+$/, '')
    .trim();
  const tree = newTree(variant, fen || null, fen || gameOf(variant).start);
  const nodes = readTurns(fields.get('m') ?? '', tree, problems);
  const wanted = fields.get('t')?.replace(BEHIND, '');
  const shown = wanted !== undefined && /^\d+$/.test(wanted) ? nodes[Number(wanted)] : undefined;
  if (wanted !== undefined && !shown)
    problems.push(phrase('link.wrongTurn', { turn: wanted.slice(0, 20), total: nodes.length - 1 }));
  const at = shown ?? lastOf(tree.root);
  at.comment = commentOf(readDrawn(fields.get('a') ?? ''));
  return { tree, shown: at, problems };
}

/** Squares and arrows; any other word is left out. */
function readDrawn(text: string): Drawn[] {
  return text.split(/[_+\s]+/).flatMap((short) => {
    const [from, to, more] = squaresIn(longSquares(short.replace(BEHIND, '')) ?? '');
    if (!from || more) return [];
    return [to ? ([from, to] as const) : ([from] as const)];
  });
}

/** The links in a text, as somebody pasted it. A link that was folded at the end of a line is put together again. */
export function linksIn(text: string): string[] {
  const whole = text.replace(/%23(?=v(?:=|%3d))/gi, '#').replace(/=\r?\n/g, '');
  const found: string[] = [];
  for (const { index, 0: begin } of whole.matchAll(
    /#(?:\/(?:play|analyse|review)\?|[/!?]*)(?=[vfmt](?:=|%3d))/gi,
  )) {
    let end = index + begin.length + (/^\S*/.exec(whole.slice(index + begin.length))?.[0].length ?? 0);
    for (;;) {
      const more = /^[ \t>]*\r?\n[ \t>]*([\w~.&=;%/*-]+)[ \t]*(?=\r?\n|$)/.exec(whole.slice(end));
      const link = whole.slice(index, end);
      if (
        !more ||
        !/[_~&=]/.test(more[1]!) ||
        /[&;]t=\d+\W*$/i.test(link) ||
        whole.slice(index + 1, end).includes('#')
      )
        break;
      end += more[0].length;
    }
    found.push(whole.slice(index, end).replace(/[\s]+[>\s]*/g, ''));
  }
  return found;
}

function decode(text: string): string {
  // One bad sign does not spoil the others.
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (signs) => {
    try {
      return decodeURIComponent(signs);
    } catch {
      return signs;
    }
  });
}

/** All nodes in the order of writing, the root first. What is damaged ends the line; what stands before it is kept. */
function readTurns(text: string, tree: GameTree, problems: string[]): GameNode[] {
  const nodes = [tree.root];
  const outer: GameNode[] = [];
  let at = tree.root;
  const tokens = text.match(/~|\.|[^_~.+\s]+/g) ?? [];
  for (const [index, token] of tokens.entries()) {
    const rest = tokens.slice(index).join('');
    const damaged = (why: string) => {
      const turn = nodes.length - 1;
      problems.push(
        turn === 0 ? phrase('link.damagedFirst', { why }) : phrase('link.damagedAfter', { turn, why }),
      );
    };
    // A full stop, a bracket or the like behind the link.
    if (outer.length === 0 && index > 0 && rest.replace(BEHIND, '') === '') break;
    if (token === '~') {
      if (!at.parent) {
        damaged(phrase('link.earlyVariation'));
        break;
      }
      outer.push(at);
      at = at.parent;
    } else if (token === '.') {
      const back = outer.pop();
      if (!back) {
        damaged(phrase('link.endlessVariation'));
        break;
      }
      at = back;
    } else {
      const spelled = index === tokens.length - 1 ? token.replace(BEHIND, '') : token;
      const turn = longSquares(spelled) ?? spelled;
      if (!SPELLED.test(turn)) {
        damaged(phrase('link.notATurn', { text: token.slice(0, 20) }));
        break;
      }
      at = play(tree, at, turn);
      nodes.push(at);
    }
  }
  return nodes;
}
