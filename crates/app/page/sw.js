// Keeps the page for use without a network. The build writes the version and the lists of files into this text.
// Files whose names carry a hash never change: they come from the cache. The page and the engine are asked for on the
// network first, so that nobody gets an old page together with a new engine, and come from the cache if there is none.
const VERSION = 'fa0fbab592822c35';
const FILES = ["./","./index.html","./assets/Board-Cz9LfVHG.js","./assets/EditorDialog-2QLcltc2.css","./assets/EditorDialog-BKB-bBAv.js","./assets/FormatsDialog-BqKNEEbC.js","./assets/LearnPage-B5Hvam88.js","./assets/ProblemsPage-DKwPy79Q.css","./assets/ProblemsPage-aCh1VFs5.js","./assets/engine.worker-DPkw0VAo.js","./assets/index-CFqOdpUu.css","./assets/index-sArHhTZt.js","./assets/it-CYsDw3aO.js","./assets/learn-CX2ECspH.js","./assets/learn-DGo6-lWv.css","./icon.svg","./licences.txt","./manifest.webmanifest"];
// What lies beside the page and is not built with it.
const BESIDE = [
  ...["./engine/weights/amazons-6x6.bin","./engine/weights/amazons-8x8.bin","./engine/weights/amazons.bin","./engine/weights/border.bin","./engine/weights/cassio.bin","./engine/weights/damone.bin","./engine/weights/desdemona.bin","./engine/weights/early.bin","./engine/weights/iago.bin","./engine/weights/imperatore.bin","./engine/endgames/damone-imperatore.bin","./engine/endgames/damone.bin"],
  './engine/hippolyta_web.js',
  './engine/hippolyta_web_bg.wasm',
  './problems.json',
  './explorer.json',
];
const CACHE = `hippolyta-${VERSION}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll([...FILES, ...BESIDE].map((file) => new Request(file, { cache: 'no-cache' })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith('hippolyta-') && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  const answer = /\/assets\//.test(request.url) ? cacheFirst(request) : networkFirst(request);
  event.respondWith(answer.then(isolated));
});

// Pages and workers that are kept apart from other sites may share memory, by which a search is ended without its worker.
function isolated(answer) {
  if (!/^text\/(html|javascript)/.test(answer.headers.get('Content-Type') ?? '')) return answer;
  const headers = new Headers(answer.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}

async function cacheFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

async function networkFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    if (request.mode === 'navigate') {
      const page = await cache.match('./index.html');
      if (page) return page;
    }
    throw error;
  }
}
