// A text or a file that waits for the dialog: dropped or pasted.
import { signal } from '@preact/signals';
import type { Source } from './reading';

export const incoming = signal<Source | null>(null);
