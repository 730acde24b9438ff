// The static page works without a network after its first visit. `hippolyta serve` needs none of this: where it runs,
// it is always there, and its page must never be an old one.
import { session } from './host';

export function keepOffline(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  if (session.kind === 'worker') {
    navigator.serviceWorker
      .register(new URL('./sw.js', document.baseURI))
      .catch((error: unknown) => console.warn('the page is not kept for use without a network', error));
    return;
  }
  // A static page may have been served at this address before.
  void navigator.serviceWorker
    .getRegistrations()
    .then((all) => Promise.all(all.map((one) => one.unregister())))
    .catch(() => {});
}
