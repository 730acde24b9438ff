// Pictures of the board: the page's own drawing with all its colours written into it, so that it looks the same anywhere.

import { render } from 'preact';
import { phrase } from '../messages';
import { Diagram } from './Sheet';

/** Properties of CSS that decide how a shape looks. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-dasharray',
  'opacity',
  'display',
  'visibility',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
];

/** Pixels of the longer side of a PNG. */
const PNG_SIZE = 1600;

/** The current position as a standalone SVG, in the light colours. */
export function boardSvg(): string {
  const root = document.documentElement;
  const theme = root.dataset.theme;
  const place = document.createElement('div');
  place.className = 'picture';
  document.body.append(place);
  root.dataset.theme = 'light';
  try {
    render(<Diagram />, place);
    const drawn = place.querySelector<SVGSVGElement>('svg');
    if (!drawn) throw new Error('no board to draw');
    return standalone(drawn);
  } finally {
    render(null, place);
    place.remove();
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
  }
}

function standalone(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const from = [drawn, ...drawn.querySelectorAll<SVGElement>('*')];
  const to = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  const root = getComputedStyle(document.documentElement);
  const plain: Record<string, string> = {
    'fill-opacity': '1',
    'stroke-opacity': '1',
    opacity: '1',
    display: 'inline',
  };
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    const out = to[index]!;
    for (const name of [...out.getAttributeNames()]) {
      if (/^(class|role|tabindex|style|aria-.*|data-.*)$/.test(name)) out.removeAttribute(name);
    }
    for (const name of PROPERTIES) {
      const value = style.getPropertyValue(name);
      if (value === '' || value === plain[name]) continue;
      // An inherited value need not be written again.
      const around = element.parentElement && index > 0 ? getComputedStyle(element.parentElement) : root;
      const inherited = name !== 'opacity' && name !== 'display' && around.getPropertyValue(name) === value;
      if (inherited && index > 0) out.removeAttribute(name);
      else out.setAttribute(name, value);
    }
    if (style.transform !== 'none' && !out.hasAttribute('transform'))
      out.setAttribute('transform', style.transform);
  });
  const { width, height } = drawn.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** The current position as a PNG, drawn by the browser itself. */
export async function boardPng(): Promise<Blob> {
  const svg = boardSvg();
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = PNG_SIZE / Math.max(image.naturalWidth, image.naturalHeight);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    const context = canvas.getContext('2d');
    if (!context) throw new Error(phrase('export.noPictures'));
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error(phrase('export.noPicture')))),
        'image/png',
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
