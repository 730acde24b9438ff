// Above the board: that the engine is away, and what became of what was kept. Calm, and never in the way of the board.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { phrase } from '../messages';
import { storageNotices } from '../storage';
import { session } from '.';

/** Milliseconds for which the engine may be away before it is worth a word. */
const GRACE = 600;

export function HostBanner() {
  return (
    <div class="banners">
      <Away />
      {storageNotices.value.map((notice) => (
        <div key={notice} class="banner" role="status">
          <p>{phrase(notice)}</p>
          <button
            type="button"
            onClick={() => (storageNotices.value = storageNotices.peek().filter((other) => other !== notice))}
          >
            {phrase('host.allRight')}
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
              {phrase('host.tryNow')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function sentence(state: string, kind: 'socket' | 'worker', reason: string): string {
  if (state === 'connecting') return phrase('host.loading');
  const kept = phrase('host.kept');
  if (reason) return phrase('host.reason', { reason, kept });
  return phrase(kind === 'socket' ? 'host.lost' : 'host.stopped', { kept });
}
