// The opponents. The numbers are those of "Limited strength" in protocol.md: the scale begins at random turns, and
// people have no ratings on it, so the names say what an opponent does and promise nothing.
import type { Family } from '../games';

export interface Level {
  id: string;
  title: string;
  note: string;
  /** `null` is full strength. */
  elo: Record<Family, number> | null;
  /** Positions that suffice for it: a bound, in case the clock is slow. */
  nodes: number;
}

export const levels: readonly Level[] = [
  {
    id: 'random',
    title: 'Random',
    note: 'Plays any legal turn.',
    elo: { amazons: 0, desdemona: 0, damone: 0 },
    nodes: 16,
  },
  {
    id: 'beginner',
    title: 'Beginner',
    note: 'Guesses, and guesses wrong often.',
    elo: { amazons: 450, desdemona: 350, damone: 250 },
    nodes: 16,
  },
  {
    id: 'casual',
    title: 'Casual',
    note: 'Guesses better, and still does not look ahead.',
    elo: { amazons: 800, desdemona: 650, damone: 450 },
    nodes: 16,
  },
  {
    id: 'instinct',
    title: 'Instinct',
    note: 'Plays what looks best at first glance.',
    elo: { amazons: 1080, desdemona: 885, damone: 655 },
    nodes: 16,
  },
  {
    id: 'glimpse',
    title: 'A glimpse ahead',
    note: 'Looks at about 16 positions before it plays.',
    elo: { amazons: 1550, desdemona: 1415, damone: 1050 },
    nodes: 64,
  },
  {
    id: 'thoughtful',
    title: 'Thoughtful',
    note: 'Looks at about 250 positions before it plays.',
    elo: { amazons: 2560, desdemona: 2070, damone: 1240 },
    nodes: 1000,
  },
  {
    id: 'strong',
    title: 'Strong',
    note: 'Looks at about 4,000 positions before it plays.',
    elo: { amazons: 3360, desdemona: 2630, damone: 1615 },
    nodes: 16_000,
  },
  {
    id: 'full',
    title: 'Full strength',
    note: 'Uses all the time that it is given.',
    elo: null,
    nodes: 0,
  },
];

export function levelOf(id: string): Level {
  return levels.find((level) => level.id === id) ?? levels[levels.length - 1]!;
}
