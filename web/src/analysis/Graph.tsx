// White's win rate over the game: a drawing to click and to step through, and a table of its values.
import { computed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { numberOf } from '../game/numbers';
import { percent } from '../game/standing';
import { current, go, kinds, match, revision } from '../game/store';
import { type GameNode, lastOf, line, moverAt } from '../game/tree';
import { phrase } from '../messages';
import { sideName } from '../names';
import { shortForm } from '../turns';
import { areaPath, type GraphPoint, graphRuns, linePath, plyToX, xToPly } from './graph';

const WIDTH = 400;
const HEIGHT = 100;

/** The line through the current position, to its end. */
const shown = computed<GameNode[]>(() => {
  revision.value;
  match.value;
  return line(lastOf(current.value));
});

/** Whether that line has a turn. */
export const played = computed(() => shown.value.length > 1);

function turnName(node: GameNode): string {
  if (!node.parent) return phrase('moves.start');
  const side = sideName[moverAt(node.parent)];
  return phrase('graph.turn', { number: numberOf(node), side, turn: shortForm(node.turn) });
}

/** White's share; `null` if it is not known. */
function shareOf({ whiteWinrate: share }: GameNode): string | null {
  return share === null ? null : percent(share, share === 0 || share === 1);
}

function valueWords(node: GameNode): string {
  const share = shareOf(node);
  return share === null ? phrase('graph.notAnalysed') : phrase('analysis.forWhite', { share });
}

export function Graph() {
  const frame = useRef<HTMLDivElement>(null);
  revision.value;
  const nodes = shown.value;
  const runs = graphRuns(
    nodes.map((node) => node.whiteWinrate),
    WIDTH,
    HEIGHT,
  );
  const at = nodes.indexOf(current.value);
  const x = plyToX(at, nodes.length, WIDTH);
  const move = (ply: number) => {
    const node = nodes[Math.max(0, Math.min(nodes.length - 1, ply))];
    if (node) go(node);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 10,
      PageUp: at + 10,
      Home: 0,
      End: nodes.length - 1,
    };
    const ply = target[event.key];
    if (ply === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    move(ply);
  };
  const point = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (box && box.width > 0)
      move(xToPly(((event.clientX - box.left) / box.width) * WIDTH, nodes.length, WIDTH));
  };
  const marks = nodes.flatMap((node, index) => {
    const kind = node.verdict?.kind;
    return kind && node.whiteWinrate !== null
      ? [{ kind, node, x: plyToX(index, nodes.length, WIDTH), y: (1 - node.whiteWinrate) * HEIGHT }]
      : [];
  });
  const node = nodes[at];
  return (
    <div class="graph">
      <div
        ref={frame}
        class="graph-box"
        role="slider"
        tabIndex={0}
        aria-label={phrase('graph.label')}
        aria-valuemin={0}
        aria-valuemax={nodes.length - 1}
        aria-valuenow={at}
        aria-valuetext={node ? phrase('graph.value', { turn: turnName(node), value: valueWords(node) }) : ''}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          point(event);
        }}
        onPointerMove={(event) => event.buttons > 0 && point(event)}
      >
        <svg viewBox={`-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`} preserveAspectRatio="none" aria-hidden="true">
          <rect class="graph-ground" width={WIDTH} height={HEIGHT} />
          {runs.map((run) => (
            <g key={`a${run[0]?.ply}`}>
              <path class="graph-black" d={areaPath(run, 0)} />
              <path class="graph-white" d={areaPath(run, HEIGHT)} />
            </g>
          ))}
          <path class="graph-half" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
          {runs.map((run) => (
            <path key={`l${run[0]?.ply}`} class="graph-line" d={linePath(run)} />
          ))}
          {runs.map((run) => (
            <Lone key={`p${run[0]?.ply}`} run={run} />
          ))}
          <path class="graph-now" d={`M${x} 0V${HEIGHT}`} />
        </svg>
        {/* Signs of mistakes are text over the drawing: its width stretches, theirs must not. */}
        {marks.map(({ kind, node: mistake, x: left, y: top }) => (
          <span
            key={mistake.id}
            class={`graph-mark ${kind}`}
            aria-hidden="true"
            style={{
              left: `${((left + 6) / (WIDTH + 12)) * 100}%`,
              top: `${((top + 6) / (HEIGHT + 12)) * 100}%`,
            }}
          />
        ))}
      </div>
      <details class="graph-table">
        <summary>{phrase('graph.table')}</summary>
        <div class="scroll">
          <table>
            <caption class="visually-hidden">{phrase('graph.caption')}</caption>
            <thead>
              <tr>
                <th scope="col">{phrase('graph.turnHead')}</th>
                <th scope="col">{phrase('graph.rateHead')}</th>
                <th scope="col">{phrase('graph.judgedHead')}</th>
              </tr>
            </thead>
            <tbody>
              {nodes.map((row) => (
                <tr key={row.id} aria-current={row === node ? 'true' : undefined}>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => go(row)}>
                      {turnName(row)}
                    </button>
                  </th>
                  <td>{shareOf(row) ?? '–'}</td>
                  <td>{row.verdict?.kind && phrase(`kind.name.${row.verdict.kind}`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

/** A position whose neighbours are not known would be a line without length. */
function Lone({ run }: { run: readonly GraphPoint[] }) {
  const [point] = run;
  if (!point || run.length > 1) return null;
  return <path class="graph-lone" d={`M${point.x} ${point.y}h0.01`} />;
}

/** The graph of a review, with its signs explained. */
export function GraphWithLegend() {
  return (
    <div>
      <Graph />
      <p class="legend">
        {kinds.value.map(({ name, sign }) => (
          <span key={name}>
            <span class={`graph-mark ${name}`} aria-hidden="true" /> {phrase(`kind.plural.${name}`)} {sign}
          </span>
        ))}
      </p>
    </div>
  );
}
