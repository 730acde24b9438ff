// Glicko-2: a rating, how uncertain it is, and how much it moves about. After Mark E. Glickman, "Example of the Glicko-2
// system", 2013, http://www.glicko.net/glicko/glicko2.pdf. Every problem is a rating period of its own.

export interface Rating {
  rating: number;
  /** One standard deviation. */
  deviation: number;
  volatility: number;
}

/** One is not known at all. People differ by more than this, but nobody shall lose half of it by a first slip. */
export const UNKNOWN: Rating = { rating: 1200, deviation: 200, volatility: 0.06 };

/** Points of a rating in a unit of Glicko-2's own scale. */
const SCALE = 173.7178;
/** How fast the volatility may change: the paper has 0.3 to 1.2. */
const TAU = 0.5;
const CLOSE = 1e-6;
/** After a result that nobody expects the formula of the paper has no end: no more than this is believed. */
const MOST_VOLATILITY = 0.1;
/** However much was played, people change. */
const LEAST_DEVIATION = 50;

/** The rating after a game against another: `score` is 1 for a win, 0 for a loss. */
export function rated(own: Rating, opponent: Pick<Rating, 'rating' | 'deviation'>, score: number): Rating {
  const phi = own.deviation / SCALE;
  const g = 1 / Math.sqrt(1 + (3 * (opponent.deviation / SCALE) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp((-g * (own.rating - opponent.rating)) / SCALE));
  const variance = 1 / (g ** 2 * expected * (1 - expected));
  const surprise = variance * g * (score - expected);
  const volatility = volatilityAfter(own.volatility, phi, variance, surprise);
  const before = phi ** 2 + volatility ** 2;
  const after = 1 / Math.sqrt(1 / before + 1 / variance);
  return {
    rating: own.rating + after ** 2 * g * (score - expected) * SCALE,
    deviation: Math.max(after * SCALE, LEAST_DEVIATION),
    volatility,
  };
}

/** Step 5 of the paper: the root of a function, by the Illinois algorithm. */
function volatilityAfter(sigma: number, phi: number, variance: number, surprise: number): number {
  const start = Math.log(sigma ** 2);
  const f = (x: number) => {
    const e = Math.exp(x);
    const sum = phi ** 2 + variance + e;
    return (e * (surprise ** 2 - sum)) / (2 * sum ** 2) - (x - start) / TAU ** 2;
  };
  let low = start;
  let high = Math.log(surprise ** 2 - phi ** 2 - variance);
  if (!(surprise ** 2 > phi ** 2 + variance)) {
    let steps = 1;
    while (f(start - steps * TAU) < 0) steps += 1;
    high = start - steps * TAU;
  }
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > CLOSE) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const atMiddle = f(middle);
    if (atMiddle * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, atMiddle];
  }
  return Math.min(Math.exp(low / 2), MOST_VOLATILITY);
}
