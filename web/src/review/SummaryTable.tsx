// How both sides played, in one table, and how that is meant.
import { PER_CENT } from '../analysis/standing';
import type { Reviewed } from '../protocol';
import { article, points } from './words';

export function SummaryTable({ of: { white, black, kinds } }: { of: Reviewed }) {
  const rows: [string, string, string][] = [
    ['Accuracy', share(white.accuracy), share(black.accuracy)],
    ['Average loss', loss(white.averageLoss), loss(black.averageLoss)],
    ...kinds.map(({ plural }, at): [string, string, string] => [
      capital(plural),
      String(white.kinds[at]),
      String(black.kinds[at]),
    ]),
  ];
  return (
    <section class="summary" aria-label="Summary">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col" class="number">
              <span class="side-sign white" aria-hidden="true" /> White
            </th>
            <th scope="col" class="number">
              <span class="side-sign black" aria-hidden="true" /> Black
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, ofWhite, ofBlack]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td class="number">{ofWhite}</td>
              <td class="number">{ofBlack}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>How turns are judged</summary>
        <p>
          A turn loses what its player’s win rate falls by, and no more than the position after the best turn
          is better. {kinds.map(threshold).join(', ')}. Accuracy is the share of a side’s turns that were none
          of these. A draw counts as half a win.
        </p>
      </details>
    </section>
  );
}

function threshold({ name, loss: least }: Reviewed['kinds'][number], at: number): string {
  return at === 0
    ? `From ${points(least)} on it is ${article(name)}`
    : `from ${points(least)} ${article(name)}`;
}

/** Without turns nothing was wrong. */
function share(value: number | null): string {
  return Math.round((value ?? 1) * 100) + PER_CENT;
}

function loss(value: number | null): string {
  return ((value ?? 0) * 100).toFixed(1) + PER_CENT;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
