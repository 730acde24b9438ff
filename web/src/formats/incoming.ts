// A text that waits for the dialog: from a dropped file or the clipboard.
import { signal } from '@preact/signals';

export const incoming = signal<{ text: string; name: string } | null>(null);
