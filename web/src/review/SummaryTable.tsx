// How both sides played, in one table, and how that is meant.
import { PER_CENT } from '../analysis/standing';
import { KINDS, PLURAL, points, summarise, THRESHOLDS } from './classify';
import { verdicts } from './review';

export function SummaryTable() {
  const all = verdicts.value;
  const [white, black] = [summarise(all, 'white'), summarise(all, 'black')];
  const rows: [string, string, string][] = [
    ['Accuracy', share(white.accuracy), share(black.accuracy)],
    ['Average loss', loss(white.averageLoss), loss(black.averageLoss)],
    ...KINDS.map((kind): [string, string, string] => [
      capital(PLURAL[kind]),
      String(white.counts[kind]),
      String(black.counts[kind]),
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
          A turn loses what the best turn’s win rate exceeds its own, from the view of the side that played
          it. From {points(THRESHOLDS.inaccuracy)} on it is an inaccuracy, from {points(THRESHOLDS.mistake)} a
          mistake, from {points(THRESHOLDS.blunder)} a blunder. Accuracy is the share of a side’s turns that
          were none of these. A draw counts as half a win.
        </p>
      </details>
    </section>
  );
}

function share(value: number): string {
  return Math.round(value * 100) + PER_CENT;
}

function loss(value: number): string {
  return (value * 100).toFixed(1) + PER_CENT;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
