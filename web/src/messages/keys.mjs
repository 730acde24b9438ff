// Writes `keys.ts`: the keys of all messages and what their placeholders need, so that TypeScript checks both.
import { readFileSync, writeFileSync } from 'node:fs';

const here = (name) => new URL(name, import.meta.url);
const lines = [];

function tell(messages, under) {
  for (const [name, value] of Object.entries(messages)) {
    const plural = typeof value.other === 'string';
    if (typeof value !== 'string' && !plural) {
      tell(value, `${under}${name}.`);
      continue;
    }
    const texts = plural ? Object.values(value) : [value];
    const names = new Set(
      texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, found]) => found)),
    );
    if (plural) names.add('count');
    const types = [...names].map(
      (found) => `${found}: ${plural && found === 'count' ? 'number' : 'string | number'}`,
    );
    lines.push(`  '${under}${name}': { ${types.join('; ')} };`);
  }
}

tell(JSON.parse(readFileSync(here('en.json'), 'utf8')), '');
writeFileSync(here('keys.ts'), `export interface Placeholders {\n${lines.join('\n')}\n}\n`);
