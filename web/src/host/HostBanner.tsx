// Above the board: that the engine is away, and what became of what was kept. Calm, and never in the way of the board.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { storageNotices } from '../storage';
import { session } from '.';

/** Milliseconds for which the engine may be away before it is worth a word. */
const GRACE = 600;

export function HostBanner() {
  return (
    <div class="banners">
      <Away />
      {storageNotices.value.map((words) => (
        <div key={words} class="banner" role="status">
          <p>{words}</p>
          <button
            type="button"
            onClick={() => {
              storageNotices.value = storageNotices.peek().filter((other) => other !== words);
            }}
          >
            All right
          </button>
        </div>
      ))}
    </div>
  );
}

function Away() {
  const late = useSignal(false);
  const state = session.state.value;
  const away = state !== 'ready';
  useEffect(() => {
    late.value = false;
    if (!away) return;
    const timer = setTimeout(() => {
      late.value = true;
    }, GRACE);
    return () => clearTimeout(timer);
  }, [away, late]);
  const words = sentence(state, session.kind, session.reason.value);
  return (
    <div class="banner-place" role="status">
      {away && late.value && (
        <div class="banner away" data-host={state}>
          <p>{words}</p>
          {state === 'gone' && (
            <button type="button" onClick={() => session.retry()}>
              Try now
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function sentence(state: string, kind: 'socket' | 'worker', reason: string): string {
  if (state === 'connecting') return 'The engine is being loaded …';
  const kept = 'The game is kept, and the clocks stand still.';
  if (reason) return `${reason} ${kept} Trying again …`;
  return kind === 'socket'
    ? `The connection to the engine is lost. ${kept} Trying again …`
    : `The engine has stopped. ${kept} A new one is being started …`;
}
