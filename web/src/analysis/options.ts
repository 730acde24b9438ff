// Options of an analysis that people choose, kept in the browser.
import { effect, signal } from '@preact/signals';
import { load, store } from '../storage';

export type Depth = 'off' | 'quick' | 'deep';

export interface AnalysisOptions {
  depth: Depth;
  /** Lines to report, 1 … `MOST_LINES`. */
  lines: number;
  arrows: boolean;
  ownership: boolean;
  territory: boolean;
  threats: boolean;
  /** The explorer of openings is open. */
  openings: boolean;
  /** Whose games it counts: the engine's, those of the person, those of the file that was opened last. */
  engineGames: boolean;
  ownGames: boolean;
  fileGames: boolean;
}

export const MOST_LINES = 20;

const KEY = 'analysis';
const defaults: AnalysisOptions = {
  depth: 'quick',
  lines: 3,
  arrows: true,
  ownership: false,
  territory: true,
  threats: false,
  openings: false,
  engineGames: true,
  ownGames: true,
  fileGames: true,
};

export const options = signal<AnalysisOptions>(
  load(KEY, (value) => read(value as Partial<AnalysisOptions>)) ?? defaults,
);

function read(saved: Partial<AnalysisOptions>): AnalysisOptions {
  const lines = Number(saved.lines);
  return {
    ...defaults,
    ...saved,
    // A search without end is begun by hand, not by a reload.
    depth: saved.depth === 'off' ? 'off' : 'quick',
    lines: lines >= 1 && lines <= MOST_LINES ? Math.floor(lines) : defaults.lines,
  };
}

effect(() => store(KEY, options.value));

export function choose<K extends keyof AnalysisOptions>(key: K, value: AnalysisOptions[K]): void {
  options.value = { ...options.peek(), [key]: value };
}
