// Rule sets to begin from, as files of them: TOML.

export interface Example {
  /** As in its text. */
  title: string;
  text: string;
}

export const gallery: readonly Example[] = [
  {
    title: 'Knight Amazons',
    text: `[knights]
title = "Knight Amazons"
description = "amazons move and fire as knights"
like = "amazons6"
moves = "N"
fires = "N"
`,
  },
  {
    title: 'Misère',
    text: `[misere6]
title = "Misère"
description = "the Amazons, but whoever cannot move wins"
like = "amazons6"
stuck = "wins"
`,
  },
  {
    title: 'Trail',
    text: `[trail]
title = "Trail"
description = "kings close the square behind them, on a board with holes"
start = "3q2/6/2**2/2**2/6/2Q3 w"
moves = "K"
fire-at = "left"
`,
  },
  {
    title: 'Short sight',
    text: `[short]
title = "Short sight"
description = "stones flip as in Othello, and most stones win"
like = "amazons8"
moves = "Q3"
fires = "Q3"
leaves = "own"
flips = "lines"
stuck = "most-stones"
`,
  },
  {
    title: 'Desdemona without a border',
    text: `[border]
title = "Desdemona without a border"
description = "ordinary shots may land on the rim, and a tie is Black's"
like = "desdemona"
rim-barred = false
equal = "black"
`,
  },
  {
    title: 'Isolation',
    text: `[isolation8]
title = "Isolation"
description = "kings step, then any square is closed"
start = "3q4/8/8/8/8/8/8/4Q3 w"
moves = "K"
fire-at = "anywhere"
`,
  },
];
