// Rule sets to begin from: the example files of the repository.

import border from '../../../examples/rules/border.toml?raw';
import cavalry from '../../../examples/rules/cavalry.toml?raw';
import fish from '../../../examples/rules/fish.toml?raw';
import isolation from '../../../examples/rules/isolation.toml?raw';
import isolation8 from '../../../examples/rules/isolation8.toml?raw';
import knights from '../../../examples/rules/knights.toml?raw';
import misere6 from '../../../examples/rules/misere6.toml?raw';
import short from '../../../examples/rules/short.toml?raw';
import tide from '../../../examples/rules/tide.toml?raw';
import trail from '../../../examples/rules/trail.toml?raw';

export interface Example {
  title: string;
  /** A file of rule sets, with the title in it. */
  text: string;
}

const TITLE = /^title = "(.*)"$/m;

export const gallery: readonly Example[] = [
  knights,
  misere6,
  trail,
  short,
  border,
  isolation,
  isolation8,
  tide,
  fish,
  cavalry,
].map((text) => ({
  title: TITLE.exec(text)?.[1] ?? '',
  text,
}));
