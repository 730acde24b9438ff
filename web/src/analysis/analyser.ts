// Analyses the position on the board while the tab Analyse is shown.
//
// A position is asked up to three times: a short search with ownership, territory and stones, which only final answers
// carry; the search proper; and, if threats are wanted, the same position with the other side to move.

import { computed, effect, signal, untracked } from '@preact/signals';
import { messageOf, NothingFound } from '../errors';
import { percent, type Standing, standing, verdict } from '../game/standing';
import { current, game, positionOf, revision, tab, touch, turnsOf } from '../game/store';
import type { GameNode } from '../game/tree';
import { session } from '../host';
import { SearchGroup } from '../host/group';
import { phrase } from '../messages';
import type { AnalyseQuery, Analysis, MoveInfo } from '../protocol';
import { options } from './options';
import { passed } from './threats';

export const QUICK_NODES = 20_000;
const SURVEY_NODES = 4_000;
/** "Until stopped": more than any engine searches. */
const ENDLESS_NODES = 1_000_000_000_000;

/** The search that the engine makes for the page now. */
export const busy = signal<'no' | 'quick' | 'deep'>('no');
/** The last result in words, for a live region of its own: the announcement of a turn must not be cut off by it. */
export const resultSpoken = signal('');
/** A line for people if the engine refused. */
export const refusal = signal('');
/** Rises with every answer: nodes and maps are not signals. */
const heard = signal(0);

const surveys = new WeakMap<GameNode, Analysis>();
const threats = new WeakMap<GameNode, Analysis | null>();

/** Everything that is known of a position. */
export interface Findings {
  /** The deepest search. */
  search: Analysis | null;
  /** Ownership, territory, stones. */
  survey: Analysis | null;
  /** With the other side to move. */
  threat: Analysis | null;
  standing: Standing | null;
  lines: readonly MoveInfo[];
}

export function findingsOf(node: GameNode): Findings {
  const search = node.analysis;
  const survey = surveys.get(node) ?? null;
  // With several lines the engine searches where it would otherwise count: the counted result is proven even so.
  const counted = survey?.rootInfo.result && !search?.rootInfo.result ? survey : null;
  const best = counted ?? search ?? survey;
  return {
    search,
    survey,
    threat: threats.get(node) ?? null,
    standing: best ? standing(best.rootInfo, best.rootInfo.currentPlayer) : null,
    lines: linesOf(search, counted),
  };
}

/** The lines of the search. A counted line comes first, in place of the estimate of its turn if there is one. */
function linesOf(search: Analysis | null, counted: Analysis | null): readonly MoveInfo[] {
  const lines = search?.moveInfos ?? [];
  const sure = counted?.moveInfos[0];
  if (!sure) return lines;
  const others = lines.filter((line) => line.move !== sure.move);
  return [sure, ...others.slice(0, Math.max(0, lines.length - 1))].map((line, order) => ({ ...line, order }));
}

export const findings = computed<Findings>(() => {
  heard.value;
  revision.value;
  return findingsOf(current.value);
});

const searches = new SearchGroup(session);

function stopAll(): void {
  searches.stop();
  busy.value = 'no';
}

/** The deepest answer stays; one with more lines counts as deeper. */
export function keep(node: GameNode, answer: Analysis): void {
  const known = node.analysis;
  const deeper =
    !known ||
    answer.rootInfo.nodes >= known.rootInfo.nodes ||
    answer.moveInfos.length > known.moveInfos.length ||
    answer.rootInfo.result !== undefined;
  if (deeper) node.analysis = answer;
  heard.value += 1;
}

/** Notes the win rate with the node, which is kept over a reload. */
export function settle(node: GameNode): void {
  const now = findingsOf(node).standing;
  if (now && node.whiteWinrate !== now.white) {
    node.whiteWinrate = now.white;
    touch();
  }
}

function surveyQuery(node: GameNode): AnalyseQuery {
  const { ownership, territories, stones } = untracked(() => game.value);
  const query: AnalyseQuery = { ...positionOf(node), nodes: SURVEY_NODES };
  if (ownership) query.includeOwnership = true;
  if (territories) query.includeTerritory = true;
  if (stones) query.includeStones = true;
  return query;
}

/** Whether the analysis that is known is as good as a quick search with `lines` lines. */
export function knownWell(node: GameNode, lines: number, turns: number): boolean {
  const known = node.analysis;
  if (!known) return false;
  if (known.moveInfos.length === 0 && known.rootInfo.result) return true;
  const enough = known.rootInfo.nodes >= QUICK_NODES || known.rootInfo.result !== undefined;
  return enough && known.moveInfos.length >= Math.min(lines, turns);
}

async function analyse(node: GameNode, deep: boolean, lines: number, threat: boolean): Promise<void> {
  const counts = searches.watch();
  busy.value = deep ? 'deep' : 'quick';
  refusal.value = '';
  try {
    if (!surveys.has(node)) {
      const survey = await searches.ask(surveyQuery(node));
      surveys.set(node, survey);
      heard.value += 1;
    }
    if (!counts()) return;
    if (threat && !threats.has(node)) await findThreat(node);
    if (!counts()) return;
    const turns = (await turnsOf(node)).turns.length;
    if (!counts()) return;
    if (deep || !knownWell(node, lines, turns)) {
      const query: AnalyseQuery = {
        ...positionOf(node),
        multipv: lines,
        mergeMirrored: true,
        keepTree: deep,
        nodes: deep ? ENDLESS_NODES : QUICK_NODES,
      };
      keep(node, await searches.ask(query, (interim) => keep(node, interim)));
    }
    settle(node);
    if (counts()) resultSpoken.value = resultWords(node);
  } catch (error) {
    if (!(error instanceof NothingFound) && counts()) refusal.value = messageOf(error);
  } finally {
    if (counts()) busy.value = 'no';
  }
}

async function findThreat(node: GameNode): Promise<void> {
  await turnsOf(node);
  const position = node.position && passed(node.position);
  // A game that is over has no threats, and a position that the engine refuses has none to speak of.
  let answer: Analysis | null = null;
  if (position !== null && (surveys.get(node)?.moveInfos.length ?? 0) > 0) {
    try {
      answer = await searches.ask({
        variant: untracked(() => game.value.id),
        fen: position,
        nodes: QUICK_NODES / 2,
      });
    } catch (error) {
      if (error instanceof NothingFound) return;
    }
  }
  threats.set(node, answer && answer.moveInfos.length > 0 ? answer : null);
  heard.value += 1;
}

/** A quick search of any position, for the text mode: what is known already is not searched again. */
export async function quickLook(node: GameNode, lines = 1): Promise<Findings> {
  const turns = (await turnsOf(node)).turns.length;
  if (!surveys.has(node)) surveys.set(node, await session.analyse(surveyQuery(node)).done);
  if (!knownWell(node, lines, turns))
    keep(
      node,
      await session.analyse({ ...positionOf(node), multipv: lines, mergeMirrored: true, nodes: QUICK_NODES })
        .done,
    );
  settle(node);
  heard.value += 1;
  return findingsOf(node);
}

export function resultWords(node: GameNode): string {
  const { standing: now, lines } = findingsOf(node);
  if (!now) return '';
  const share = phrase('analysis.forWhite', { share: percent(now.white) });
  const result = now.proven
    ? phrase('analysis.result', { verdict: verdict(now) })
    : phrase('analysis.resultShare', { verdict: verdict(now), share });
  return lines[0] ? `${result} ${phrase('analysis.best', { turn: lines[0].move })}` : result;
}

effect(() => {
  const shown = tab.value === 'analyse';
  const node = current.value;
  const { depth, lines, threats: threat } = options.value;
  untracked(() => {
    stopAll();
    if (shown && depth !== 'off') void analyse(node, depth === 'deep', lines, threat);
  });
});
