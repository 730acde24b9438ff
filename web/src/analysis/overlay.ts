// Marks, labels and arrows of the analysis on the board.
import { effect, signal } from '@preact/signals';
import { type BoardArrow, boardLabels, boardMarks, type SquareMark } from '../board/layers';
import { tab, view } from '../game/store';
import type { TurnInfo } from '../protocol';
import { findings } from './analyser';
import { lineArrow, lineArrows, turnArrow } from './arrows';
import { ownershipMarks, regionLabels, territoryMarks } from './marks';
import { options } from './options';

/** The first turn of the line under the pointer or the focus: no other is drawn. */
export const hovered = signal<string | null>(null);

/** A turn of the openings under the pointer or the focus: no other is drawn. */
export const pointedTurn = signal<TurnInfo | null>(null);

/** The squares of what is pointed at in the panel. */
export const pointed = signal<SquareMark[] | null>(null);

effect(() => {
  const { survey } = findings.value;
  const { ownership: wanted, territory: counted } = options.value;
  const there = tab.value === 'analyse' || tab.value === 'review' ? pointed.value : null;
  if (there || tab.value !== 'analyse' || !survey) {
    boardMarks.value = there ?? [];
    boardLabels.value = [];
    return;
  }
  const { ownership, territory, rootInfo } = survey;
  const board = view.value;
  if (wanted && ownership) {
    boardMarks.value = ownershipMarks(ownership, rootInfo.currentPlayer, board, territory);
  } else {
    boardMarks.value = counted && territory ? territoryMarks(territory, board.pieces) : [];
  }
  boardLabels.value = counted && territory ? regionLabels(territory, board.pieces) : [];
});

/** Lines and threats. */
export function analysisArrows(): BoardArrow[] {
  const { lines, threat } = findings.value;
  const { arrows, threats } = options.value;
  const only = hovered.value;
  if (pointedTurn.value) return [turnArrow(pointedTurn.value, 'other')];
  if (only !== null) {
    const line = lines.find(({ move }) => move === only);
    return line ? lineArrow(line, line.order === 0 ? 'best' : 'other', String(line.order + 1)) : [];
  }
  const first = threat?.moveInfos[0];
  return [
    ...(threats && first ? lineArrow(first, 'threat', '!') : []),
    // With many lines the board would be covered; the first ones are drawn.
    ...(arrows ? lineArrows(lines.slice(0, 5)) : []),
  ];
}
