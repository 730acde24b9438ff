// The one session of the page, on the host that the page's `<meta name="hippolyta-host">` names.
import type { Host } from './host';
import { browser } from './platform';
import { Session } from './session';
import { SocketHost, socketUrl } from './socket';
import { WorkerHost } from './worker';

function chooseHost(): Host {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="hippolyta-host"]');
  return meta?.content === 'socket'
    ? new SocketHost(socketUrl(document.baseURI))
    : new WorkerHost(new URL('./engine', document.baseURI).href, browser);
}

export const session = new Session(chooseHost());
