// Games and positions in and out.

import { useState } from 'preact/hooks';
import { phrase } from '../messages';
import { Dialog } from '../ui/Dialog';
import { ExportPart } from './ExportPart';
import { ImportPart } from './ImportPart';
import { incoming } from './incoming';

export function FormatsDialog() {
  const [part, setPart] = useState<'in' | 'out'>(incoming.peek() ? 'in' : 'out');
  return (
    <Dialog title={phrase('tools.exchange')} wide>
      <div class="formats">
        <div class="formats-parts" role="tablist" aria-label={phrase('formats.parts')}>
          {(['out', 'in'] as const).map((id) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`formats-${id}`}
              aria-selected={part === id}
              aria-controls="formats-part"
              tabIndex={part === id ? 0 : -1}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
                const next = id === 'in' ? 'out' : 'in';
                setPart(next);
                document.getElementById(`formats-${next}`)?.focus();
              }}
              onClick={() => setPart(id)}
            >
              {phrase(`formats.${id}`)}
            </button>
          ))}
        </div>
        <div id="formats-part" role="tabpanel" aria-labelledby={`formats-${part}`}>
          {part === 'in' ? <ImportPart /> : <ExportPart />}
        </div>
      </div>
    </Dialog>
  );
}
