/// <reference lib="webworker" />
// The service worker: built files out of its own cache, so that a loaded console opens without the service. The worker
// never stores an answer of the API, and takes no part in such requests.
const worker = self as unknown as ServiceWorkerGlobalScope;

// The build writes the names of all its files and their fingerprint in here (vite.config.ts).
const built: { version: string; files: string[] } = JSON.parse("__BUILT__");
const CACHE = `mabligop-${built.version}`;
const DOCUMENT = "/new";
const PAGE = /^\/($|new$|join$|g\/)/;
/** The time that a page waits for the service before the cached document opens. */
const PATIENCE = 4_000;

// A version is stored whole or not at all, and never changed: its document fits its scripts.
worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([DOCUMENT, ...built.files])));
});

// Pages of an older version may still be open: this begins when the last of them is closed.
worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== worker.location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" && PAGE.test(pathname)) event.respondWith(page(request));
  else if (built.files.includes(pathname)) event.respondWith(file(request, pathname));
});

/** Return the service's current document, or else the cached one. */
async function page(request: Request): Promise<Response> {
  const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (answer && answer.status < 500) return answer;
  return (await cachedFile(DOCUMENT)) ?? answer ?? Response.error();
}

async function file(request: Request, path: string): Promise<Response> {
  return (await cachedFile(path)) ?? fetch(request);
}

async function cachedFile(path: string): Promise<Response | undefined> {
  return (await caches.open(CACHE)).match(path, { ignoreVary: true });
}
