// A turn in its short form, the shot in its colour.
import { Fragment } from 'preact';
import { partsOf } from '../turns';

export function ShortTurn({ turn, bold = false }: { turn: string; bold?: boolean }) {
  const [way, shot] = partsOf(turn);
  const Tag = bold ? 'strong' : Fragment;
  return (
    <Tag>
      {way}
      {shot && <span class="shot">{shot}</span>}
    </Tag>
  );
}
