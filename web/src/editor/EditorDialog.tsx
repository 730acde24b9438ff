// The board editor.
import { Dialog } from '../ui/Dialog';

export function EditorDialog() {
  return <Dialog title="Set up a position">{null}</Dialog>;
}
