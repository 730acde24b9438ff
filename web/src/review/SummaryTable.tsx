// How both sides played, in one table, and how that is meant.
import { article, points } from '../game/verdicts';
import { percent, phrase } from '../messages';
import { sideName } from '../names';
import type { Reviewed } from '../protocol';
import { capital } from './words';

export function SummaryTable({ of: { white, black, kinds } }: { of: Reviewed }) {
  const rows: [string, string, string][] = [
    [phrase('summary.accuracy'), share(white.accuracy), share(black.accuracy)],
    [phrase('summary.loss'), loss(white.averageLoss), loss(black.averageLoss)],
    ...kinds.map(({ name }, at): [string, string, string] => [
      capital(phrase(`kind.plural.${name}`)),
      String(white.kinds[at]),
      String(black.kinds[at]),
    ]),
  ];
  return (
    <section class="summary" aria-label={phrase('summary.title')}>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col" class="number">
              <span class="side-sign white" aria-hidden="true" /> {sideName.white}
            </th>
            <th scope="col" class="number">
              <span class="side-sign black" aria-hidden="true" /> {sideName.black}
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
        <summary>{phrase('summary.how')}</summary>
        <p>{phrase('summary.words', { thresholds: kinds.map(threshold).join(', ') })}</p>
      </details>
    </section>
  );
}

function threshold({ name, loss: least }: Reviewed['kinds'][number], at: number): string {
  return phrase(at === 0 ? 'summary.first' : 'summary.next', { loss: points(least), kind: article(name) });
}

/** Without turns nothing was wrong. */
function share(value: number | null): string {
  return percent(value ?? 1);
}

function loss(value: number | null): string {
  return percent(value ?? 0, 1);
}
