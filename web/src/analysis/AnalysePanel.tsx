// The side panel of the tab Analyse.
import type { ComponentChildren } from 'preact';
import { Explorer } from '../explorer/Explorer';
import { MoveList } from '../game/MoveList';
import { ShortTurn } from '../game/ShortTurn';
import {
  doubt,
  percent,
  type Standing,
  shares,
  shortNumber,
  standing as standingOf,
  verdict,
} from '../game/standing';
import { current, game, view } from '../game/store';
import type { Game } from '../games';
import { phrase, phraseParts } from '../messages';
import { sideName } from '../names';
import { other } from '../protocol';
import { WatchPanel } from '../watch/WatchPanel';
import { busy, findings, QUICK_NODES, refusal, resultSpoken } from './analyser';
import { Counts } from './Counts';
import { Graph, played } from './Graph';
import { LineCount, Lines } from './Lines';
import { choose, type Depth, options } from './options';

const DEPTHS: readonly Depth[] = ['off', 'quick', 'deep'];

function hintOf(depth: Depth): string {
  if (depth === 'quick') return phrase('analysis.hints.quick', { nodes: QUICK_NODES });
  return phrase(`analysis.hints.${depth}`);
}

/** `children` stand below the graph. */
export function AnalysePanel({ children }: { children: ComponentChildren }) {
  return (
    <section class="panel analysis" aria-label={phrase('analysis.title')}>
      <Verdict />
      <Controls />
      <Lines />
      {options.value.threats && (
        // Its place is kept: what stands below does not move when it comes.
        <div class="threat-place">
          <Threat />
        </div>
      )}
      <MoveList edit />
      {/* One position has no course to show. */}
      {played.value && <Graph />}
      {children}
      <Switches />
      <Explorer />
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
        {standing
          ? verdict(standing)
          : phrase(options.value.depth === 'off' ? 'analysis.off' : 'analysis.running')}
      </h2>
      <Effort />
      {standing && !over && !standing.proven && (
        <p class="shares">{[shares(standing, draws), doubt(standing)].filter(Boolean).join(', ')}</p>
      )}
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
      <div class="segments" role="group" aria-label={phrase('analysis.title')}>
        {DEPTHS.map((id) => (
          <button
            key={id}
            type="button"
            title={hintOf(id)}
            aria-pressed={depth === id}
            onClick={() => choose('depth', id)}
          >
            {phrase(`analysis.depths.${id}`)}
          </button>
        ))}
      </div>
      <LineCount />
    </div>
  );
}

/** How much was searched, small; how fast and how deep at the most, where a pointer rests. */
function Effort() {
  const { search } = findings.value;
  if (!search) return <p class="effort">{busy.value === 'no' ? '' : phrase('analysis.searching')}</p>;
  const { nodes, timeMs, depth, selDepth } = search.rootInfo;
  // A game that is over needs no search.
  if (nodes === 0) return <p class="effort" />;
  const searched = phrase('analysis.nodes', { nodes: shortNumber(nodes) });
  const deepest = selDepth > depth ? phrase('analysis.depthTo', { depth, most: selDepth }) : '';
  const speed =
    timeMs > 20 ? phrase('analysis.speed', { nodes: shortNumber(Math.round((nodes / timeMs) * 1000)) }) : '';
  return (
    <p class="effort" title={[deepest, speed].filter(Boolean).join(' · ')}>
      <span>
        {busy.value !== 'no' && <span class="pulse" aria-hidden="true" />}
        {searched}
      </span>
      <span> · {phrase('analysis.depth', { depth })}</span>
    </p>
  );
}

const SWITCHES: ['arrows' | 'ownership' | 'territory' | 'threats', (of: Game) => boolean][] = [
  ['arrows', () => true],
  ['ownership', ({ ownership }) => ownership],
  ['territory', ({ territories }) => territories],
  ['threats', () => true],
];

function Switches() {
  return (
    <fieldset class="switches">
      <legend class="visually-hidden">{phrase('analysis.shown')}</legend>
      {SWITCHES.filter(([, fits]) => fits(game.value)).map(([key]) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={options.value[key] === true}
            onChange={(event) => choose(key, event.currentTarget.checked)}
          />
          {phrase(`analysis.${key}`)}
        </label>
      ))}
      <OwnershipKey />
    </fieldset>
  );
}

/** The key to the marks on the squares. */
function OwnershipKey() {
  const { ownership, territory } = options.value;
  const { ownership: has, territories: counts, stones } = game.value;
  if (!(ownership && has) && !(territory && counts)) return null;
  const estimates = phrase(stones ? 'analysis.stonesLegend' : 'analysis.ownedLegend');
  return (
    <p class="legend">
      <span>
        <span class="side-sign white" aria-hidden="true" /> {phrase('analysis.whiteLegend')}
      </span>
      <span>
        <span class="side-sign black" aria-hidden="true" /> {phrase('analysis.blackLegend')}
      </span>
      <span class="quiet">
        {ownership && estimates} {counts && phrase('analysis.settledLegend')}
      </span>
    </p>
  );
}

function Threat() {
  const { threat, standing } = findings.value;
  const first = threat?.moveInfos[0];
  if (!threat || !first) return <p class="threat none" />;
  const opponent = other(view.value.side);
  const after = standingOf(first, threat.rootInfo.currentPlayer);
  const lost = standing ? standing.white - after.white : 0;
  const cost = opponent === 'black' ? lost : -lost;
  return (
    <p class="threat">
      <span class="threat-sign" aria-hidden="true">
        !
      </span>
      {phraseParts(cost >= LEAST_THREAT ? 'analysis.threatens' : 'analysis.wouldPlay', {
        side: sideName[opponent],
        turn: <ShortTurn key="turn" turn={first.move} bold />,
      })}{' '}
      {standing && <span class="quiet">{threatWorth(standing, after, sideName[opponent])}</span>}
    </p>
  );
}

/** Win rate that an idle turn would cost: below this nothing is threatened. */
const LEAST_THREAT = 0.03;

/** The win rate with and without the threat, in words; one figure where they read alike. */
function threatWorth(now: Standing, after: Standing, side: string): string {
  const [before, then] = [
    percent(now.white, now.proven !== null),
    percent(after.white, after.proven !== null),
  ];
  if (before === then) return phrase('analysis.evenIf', { side, share: then });
  return phrase('analysis.ifTurn', { side, then, now: before });
}
