// The static page works without a network after its first visit. `hippolyta serve` needs none of this: where it runs,
// it is always there, and its page must never be an old one.
import { session } from './host';

/** Milliseconds after which what the first turn needs has come: what is kept is all files, and must not hold it up. */
const BEGUN = 5_000;

function keep(): void {
  navigator.serviceWorker
    .register(new URL('./sw.js', document.baseURI))
    .catch((error: unknown) => console.warn('the page is not kept for use without a network', error));
}

export function keepOffline(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  if (session.kind === 'worker') {
    const stop = session.state.subscribe((state) => {
      if (state !== 'ready') return;
      setTimeout(keep, BEGUN);
      queueMicrotask(() => stop());
    });
    return;
  }
  // A static page may have been served at this address before.
  void navigator.serviceWorker
    .getRegistrations()
    .then((all) => Promise.all(all.map((one) => one.unregister())))
    .catch(() => {});
}
