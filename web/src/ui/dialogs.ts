// Which dialog is open: at most one.
import { signal } from '@preact/signals';

export type DialogName = 'new' | 'keys' | 'editor' | 'formats' | 'games' | 'settings' | 'resign' | 'link';

export const dialog = signal<DialogName | null>(null);

export function closeDialog(): void {
  dialog.value = null;
}
