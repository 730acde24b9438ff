// What the analysis draws on the board.
import { effect, signal } from '@preact/signals';
import { type BoardArrow, boardLabels, boardMarks } from '../board/layers';
import { tab, view } from '../game/store';
import type { RegionInfo } from '../protocol';
import { findings } from './analyser';
import { lineArrow, lineArrows } from './arrows';
import { ownershipMarks, regionLabels, territoryMarks } from './marks';
import { options } from './options';

/** The line under the pointer or the focus: only its turn is drawn. */
export const hovered = signal<number | null>(null);

/** The squares of the region that is pointed at in the table. */
export const pointedRegion = signal<RegionInfo | null>(null);

effect(() => {
  const { survey } = findings.value;
  const { ownership: wanted, territory: counted } = options.value;
  if (tab.value !== 'analyse' || !survey) {
    boardMarks.value = [];
    boardLabels.value = [];
    return;
  }
  const region = pointedRegion.value;
  if (region) {
    const owner = region.owner === 'white' ? 1 : region.owner === 'black' ? -1 : 0;
    boardMarks.value = region.squares.map((square) => ({ square, owner, settled: true }));
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
  if (only !== null) {
    const line = lines[only];
    return line ? lineArrow(line, only === 0 ? 'best' : 'other', String(only + 1)) : [];
  }
  const first = threat?.moveInfos[0];
  return [
    ...(threats && first ? lineArrow(first, 'threat', '!') : []),
    // With many lines the board would be covered; the first ones are drawn.
    ...(arrows ? lineArrows(lines.slice(0, 5)) : []),
  ];
}
