// The side panel of the tab Analyse.
import type { ComponentChildren } from 'preact';
import { MoveList } from '../game/MoveList';
import { current, game, view } from '../game/store';
import type { Game } from '../games';
import { sideName } from '../names';
import { other } from '../protocol';
import { WatchPanel } from '../watch/WatchPanel';
import { busy, findings, QUICK_NODES, refusal, resultSpoken } from './analyser';
import { Counts } from './Counts';
import { Graph } from './Graph';
import { LineCount, Lines } from './Lines';
import { type AnalysisOptions, choose, type Depth, options } from './options';
import { percent, type Standing, shares, shortNumber, standing as standingOf, verdict } from './standing';

const DEPTHS: [Depth, string, string][] = [
  ['off', 'Off', 'No analysis'],
  ['quick', 'Quick', `${QUICK_NODES.toLocaleString('en')} nodes for every position you look at`],
  ['deep', 'Deep', 'Searches on until stopped'],
];

/** `children` stand below the graph. */
export function AnalysePanel({ children }: { children: ComponentChildren }) {
  return (
    <section class="panel analysis" aria-label="Analysis">
      <Verdict />
      <Controls />
      <Lines />
      <Threat />
      <Switches />
      <Graph />
      {children}
      <MoveList edit />
      <Counts />
      <WatchPanel />
      <div class="visually-hidden" role="status" aria-live="polite">
        {resultSpoken.value}
      </div>
    </section>
  );
}

function Verdict() {
  const { standing } = findings.value;
  const { draws } = game.value;
  const over = current.value.outcome !== null;
  return (
    <header class="verdict">
      <h2>
        {standing ? verdict(standing) : options.value.depth === 'off' ? 'Analysis is off' : 'Analysing…'}
      </h2>
      {standing && !over && !standing.proven && <p>{shares(standing, draws)}</p>}
      {refusal.value && (
        <p class="problem" role="alert">
          {refusal.value}
        </p>
      )}
    </header>
  );
}

function Controls() {
  const { depth } = options.value;
  return (
    <div class="controls">
      <div class="segments" role="group" aria-label="Analysis">
        {DEPTHS.map(([id, title, hint]) => (
          <button
            key={id}
            type="button"
            title={hint}
            aria-pressed={depth === id}
            onClick={() => choose('depth', id)}
          >
            {id === 'off' && depth === 'deep' ? 'Stop' : title}
          </button>
        ))}
      </div>
      <LineCount />
      <Effort />
    </div>
  );
}

/** How much was searched, small. */
function Effort() {
  const { search } = findings.value;
  if (!search) return <p class="effort">{busy.value === 'no' ? '' : 'Searching…'}</p>;
  const { nodes, timeMs, depth, selDepth } = search.rootInfo;
  const speed = timeMs > 20 ? ` · ${shortNumber(Math.round((nodes / timeMs) * 1000))} a second` : '';
  return (
    <p class="effort">
      {busy.value !== 'no' && <span class="pulse" aria-hidden="true" />}
      {shortNumber(nodes)} nodes{speed} · depth {depth}
      {selDepth > depth ? ` to ${selDepth}` : ''}
    </p>
  );
}

const SWITCHES: [keyof AnalysisOptions, string, (of: Game) => boolean][] = [
  ['arrows', 'Arrows', () => true],
  ['ownership', 'Ownership', ({ ownership }) => ownership],
  ['territory', 'Territory', ({ territories }) => territories],
  ['threats', 'Threats', () => true],
];

function Switches() {
  return (
    <fieldset class="switches">
      <legend class="visually-hidden">Shown on the board</legend>
      {SWITCHES.filter(([, , fits]) => fits(game.value)).map(([key, title]) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={options.value[key] === true}
            onChange={(event) => choose(key, event.currentTarget.checked)}
          />
          {title}
        </label>
      ))}
      <OwnershipKey />
    </fieldset>
  );
}

/** What the marks on the squares mean. */
function OwnershipKey() {
  const { ownership, territory } = options.value;
  const { ownership: has, territories: counts, stones } = game.value;
  if (!(ownership && has) && !(territory && counts)) return null;
  const estimates = stones
    ? 'The larger, the more likely a stone there in the end.'
    : 'The larger, the more likely to be owned in the end.';
  return (
    <p class="legend">
      <span>
        <span class="side-sign white" aria-hidden="true" /> White: round, blue
      </span>
      <span>
        <span class="side-sign black" aria-hidden="true" /> Black: square, orange
      </span>
      <span class="quiet">
        {ownership && estimates} {counts && 'Hatched: settled for good.'}
      </span>
    </p>
  );
}

function Threat() {
  const { threat, standing } = findings.value;
  if (!options.value.threats) return null;
  const first = threat?.moveInfos[0];
  if (!threat || !first) return null;
  const opponent = other(view.value.side);
  const after = standingOf(first, threat.rootInfo.currentPlayer);
  const lost = standing ? standing.white - after.white : 0;
  const cost = opponent === 'black' ? lost : -lost;
  return (
    <p class="threat">
      <span class="threat-sign" aria-hidden="true">
        !
      </span>
      {sideName[opponent]} {cost >= LEAST_THREAT ? 'threatens' : 'would play'} <strong>{first.move}</strong>.{' '}
      {standing && <span class="quiet">{threatWorth(standing, after, sideName[opponent])}</span>}
    </p>
  );
}

/** Win rate that an idle turn would cost: below this nothing is threatened. */
const LEAST_THREAT = 0.03;

/** What the threat would change, if it changes anything that can be seen. */
function threatWorth(now: Standing, after: Standing, opponent: string): string {
  const [before, then] = [
    percent(now.white, now.proven !== null),
    percent(after.white, after.proven !== null),
  ];
  if (before === then) return `Even if it were ${opponent}’s turn, White would still have ${then}.`;
  return `If it were ${opponent}’s turn, White would have ${then} instead of ${before}.`;
}
