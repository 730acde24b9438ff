// Games and positions in and out.
import { Dialog } from '../ui/Dialog';

export function FormatsDialog() {
  return <Dialog title="Import and export">{null}</Dialog>;
}
