// Our own game file, version 1: one JSON object.
//
//   {
//     "format": "hippolyta-game", "version": 1,
//     "variant": "amazons6",              name of a rule set, as in `hippolyta analyse`
//     "fen": "1q2q1/… w - - 0 1",         where the game began; null or left out: the rule set's own start
//     "tags": { "White": "Ann" },         as in PGN; may be left out
//     "comment": "A quick game.",         on the start position; may be left out
//     "moves": [                          the main line
//       "b1b4,b4c4",                      a turn, or an object with more about it:
//       { "move": "e6e3,e3c3",
//         "comment": "Too far.",
//         "variations": [ ["e6e4,e4c4", …], … ] }     other lines in place of this turn, each like "moves"
//     ],
//     "result": "1-0"                     or 0-1, 1/2-1/2, *
//   }
//
// A line of games.jsonl of `hippolyta match` reads the same way: its `moves` are objects with `move`, its `white`,
// `black` and `result` become tags, and the engines' scores become comments.
import { messageOf } from '../errors';
import { isVariant, type VariantId } from '../games';
import { addComment, FormatError, type GameRecord, type RecordNode, recordNode, TurnCounter } from './record';

export const JSON_FORMAT = 'hippolyta-game';
export const JSON_VERSION = 1;

export type JsonTurn = string | { move: string; comment?: string; variations?: JsonTurn[][] };

export interface JsonGame {
  format: typeof JSON_FORMAT;
  version: number;
  variant: VariantId;
  fen: string | null;
  tags?: Record<string, string>;
  comment?: string;
  moves: JsonTurn[];
  result: string;
}

type Unknown = Record<string, unknown>;

function isObject(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws `FormatError`. */
export function readJson(text: string, line = 0): GameRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FormatError(`not JSON: ${messageOf(error)}`, line);
  }
  return readJsonValue(value, line);
}

export function readJsonValue(value: unknown, line = 0): GameRecord {
  if (!isObject(value)) throw new FormatError('a game is a JSON object', line);
  if (value.format !== undefined && value.format !== JSON_FORMAT)
    throw new FormatError(`format '${String(value.format)}' is not '${JSON_FORMAT}'`, line);
  if (typeof value.version === 'number' && value.version > JSON_VERSION)
    throw new FormatError(
      `version ${value.version} is newer than this page, which reads ${JSON_VERSION}`,
      line,
    );
  const variant = value.variant ?? 'amazons';
  if (typeof variant !== 'string' || !isVariant(variant))
    throw new FormatError(`variant '${String(variant)}' is not a rule set`, line);
  const fen = value.fen ?? null;
  if (fen !== null && typeof fen !== 'string') throw new FormatError('fen is not a text', line);
  const record: GameRecord = { variant, start: fen, root: recordNode('', line), tags: {}, notes: [] };
  if (isObject(value.tags))
    for (const [name, tag] of Object.entries(value.tags))
      if (typeof tag === 'string') record.tags[name] = tag;
  for (const [name, tag] of [
    ['White', value.white],
    ['Black', value.black],
    ['Result', value.result],
    ['Termination', value.reason],
  ] as const)
    if (typeof tag === 'string' && record.tags[name] === undefined) record.tags[name] = tag;
  if (typeof value.comment === 'string') addComment(record.root, value.comment);
  readTurns(value.moves ?? [], record.root, line);
  return record;
}

/** Variations wait on a list instead of the stack, so that no nesting is too deep. */
function readTurns(moves: unknown, root: RecordNode, line: number): void {
  const counter = new TurnCounter();
  const open = [{ moves, at: root, plies: 0, place: 'moves' }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!Array.isArray(next.moves)) throw new FormatError(`${next.place} is not a list`, line);
    const variations: typeof open = [];
    let { at, plies } = next;
    for (const [index, entry] of (next.moves as unknown[]).entries()) {
      const place = `${next.place}[${index}]`;
      const turn = isObject(entry) ? entry.move : entry;
      if (typeof turn !== 'string') throw new FormatError(`${place} is not a turn`, line);
      plies += 1;
      counter.count(line, plies);
      const node = recordNode(turn, line);
      at.children.push(node);
      if (isObject(entry)) {
        if (typeof entry.comment === 'string') addComment(node, entry.comment);
        const score = scoreOf(entry);
        if (score) addComment(node, score);
        if (entry.variations !== undefined && entry.variations !== null) {
          if (!Array.isArray(entry.variations))
            throw new FormatError(`${place}.variations is not a list`, line);
          for (const [number, variation] of (entry.variations as unknown[]).entries())
            variations.push({
              moves: variation,
              at,
              plies: plies - 1,
              place: `${place}.variations[${number}]`,
            });
        }
      }
      at = node;
    }
    // The first variation is read first.
    open.push(...variations.reverse());
  }
}

/** What `hippolyta match` keeps of an engine's turn, as its PGN says it. */
function scoreOf(entry: Unknown): string {
  if (entry.book === true) return 'book';
  if (!isObject(entry.score)) return '';
  const { cp, mate } = entry.score;
  const score =
    typeof cp === 'number'
      ? `${cp >= 0 ? '+' : '-'}${(Math.abs(cp) / 100).toFixed(2)}`
      : typeof mate === 'number'
        ? `${mate > 0 ? '+' : '-'}M${Math.abs(mate)}`
        : '';
  return score + (typeof entry.depth === 'number' ? `/${entry.depth}` : '');
}

export function writeJson(record: GameRecord): string {
  const { Result: result = '*', ...tags } = record.tags;
  const game: JsonGame = {
    format: JSON_FORMAT,
    version: JSON_VERSION,
    variant: record.variant,
    fen: record.start,
    ...(Object.keys(tags).length > 0 ? { tags } : {}),
    ...(record.root.comment ? { comment: record.root.comment } : {}),
    moves: jsonTurns(record.root),
    result,
  };
  return `${JSON.stringify(game, null, 2)}\n`;
}

/** The main line from here, each turn with its variations. */
function jsonTurns(from: RecordNode): JsonTurn[] {
  const turns: JsonTurn[] = [];
  for (let at = from; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children as [RecordNode, ...RecordNode[]];
    if (!main.comment && others.length === 0) {
      turns.push(main.turn);
      continue;
    }
    turns.push({
      move: main.turn,
      ...(main.comment ? { comment: main.comment } : {}),
      ...(others.length > 0
        ? { variations: others.map((other) => jsonTurns({ ...recordNode(), children: [other] })) }
        : {}),
    });
  }
  return turns;
}
