// Switches of the whole page that are always at hand: text mode, sound, the list of keys.
import { settings } from '../settings';
import { dialog } from '../ui/dialogs';
import { toggleSound, toggleTextMode } from './shortcuts';

export function Tools() {
  const { textMode, sound } = settings.value;
  return (
    <>
      <Tool title="Text mode" pressed={textMode} onClick={toggleTextMode} drawing="M4 6h16M4 12h16M4 18h9" />
      <Tool
        title="Sound"
        pressed={sound}
        onClick={toggleSound}
        drawing={
          sound
            ? 'M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12'
            : 'M4 9v6h4l5 4V5L8 9zM16.5 9.5l5 5M21.5 9.5l-5 5'
        }
      />
      <Tool
        title="Keys"
        onClick={() => (dialog.value = 'keys')}
        drawing="M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8"
      />
    </>
  );
}

interface ToolProps {
  title: string;
  drawing: string;
  pressed?: boolean;
  onClick: () => void;
}

function Tool({ title, drawing, pressed, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="icon tool"
      aria-label={title}
      title={title}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={drawing} />
      </svg>
    </button>
  );
}
