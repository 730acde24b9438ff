// The pieces as the engine draws them, each in a square of 100 units around the origin: `figures.json` is its own.

import type { Game } from '../games';
import { type Letter, sideOf } from '../squares';
import { figures, hatches } from './figures.json';

export function Piece({ letter, rules }: { letter: Letter; rules: Game }) {
  const burnt = letter === '*' && !rules.stones;
  const name = (burnt ? 'burnt' : letter.toLowerCase()) as keyof typeof figures;
  return <Drawn class={`piece ${sideOf(letter) ?? 'neutral'}`} drawing={figures[name]} />;
}

/** The hatching of settled squares: `url(#hatch-white)` rises, `url(#hatch-black)` falls. */
export function Hatches() {
  return <Drawn drawing={`<defs>${hatches}</defs>`} />;
}

function Drawn({ class: name, drawing }: { class?: string; drawing: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, built into the page
  return <g class={name} dangerouslySetInnerHTML={{ __html: drawing }} />;
}
