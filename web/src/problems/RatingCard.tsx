// The solver's rating in the rule set that is open, and how it went.
import { gameOf, type VariantId } from '../games';
import { number, phrase } from '../messages';
import { solvers } from './rating';

/** Of two standard deviations: it is seldom farther off. */
const WITHIN = 2;
const [WIDTH, HEIGHT] = [140, 34];

export function RatingCard({ variant }: { variant: VariantId }) {
  const solver = solvers.value[variant];
  if (!solver) return null;
  // A rating is a name for a strength rather than an amount: its figures are not grouped.
  const rating = String(Math.round(solver.rating));
  const within = number(Math.round(WITHIN * solver.deviation));
  return (
    <section class="solver" aria-labelledby="solver-title">
      <h2 id="solver-title">{phrase('rating.title', { game: gameOf(variant).title })}</h2>
      <div>
        <p title={phrase('rating.within')}>
          <strong>{rating}</strong> ± {within}
        </p>
        <Curve past={solver.past} />
      </div>
    </section>
  );
}

function Curve({ past }: { past: readonly number[] }) {
  if (past.length < 2) return null;
  const [low, high] = [Math.min(...past), Math.max(...past)];
  const point = (rating: number, at: number) => {
    const x = (at / (past.length - 1)) * WIDTH;
    const y = HEIGHT - ((rating - low) / Math.max(1, high - low)) * HEIGHT;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const words = phrase('rating.curve', { count: past.length, low: String(low), high: String(high) });
  return (
    <svg class="solver-curve" viewBox={`0 -3 ${WIDTH} ${HEIGHT + 6}`} role="img" aria-label={words}>
      <title>{words}</title>
      <polyline points={past.map(point).join(' ')} />
    </svg>
  );
}
