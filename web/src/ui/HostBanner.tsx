// Says calmly that the engine is not there, and tries again by itself.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { session } from '../host';

export function HostBanner() {
  const state = session.state.value;
  const late = useSignal(false);
  // The first moments of loading are nobody's trouble.
  useEffect(() => {
    late.value = false;
    const timer = setTimeout(() => {
      late.value = true;
    }, 800);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === 'ready' || (state === 'connecting' && !late.value)) return null;
  return (
    <div class="banner page-wide" role="status">
      <span>
        {state === 'connecting'
          ? 'The engine is being loaded …'
          : 'The engine is not there at the moment. Your game is kept, and the page tries again by itself.'}
      </span>
      {state === 'gone' && (
        <button type="button" onClick={() => session.retry()}>
          Try now
        </button>
      )}
    </div>
  );
}
