// The service worker: this release's files first, pages from the network and, where there is none, as this phone last
// saw them; what waits is sent also when no page is open. RELEASE, FILES and OFFLINE stand before this in /sw.js.

const STORED = `files-${RELEASE}`;
const PAGES = "pages";
// The pages somebody may need in a dead spot. Invitations, forms that change anything else and partials are never kept.
const KEPT = /^\/(g\/[\w-]+\/((round|reentry|settlement|money|rules)\/)?)?$/;
const PATIENCE = 4000;
const GONE = [403, 404];
const DOWN = [502, 503, 504]; // a proxy before a server that is not there

const isHashed = (path) => /\.[0-9a-f]{12}\./.test(path);
const find = async (name, path) => (await caches.open(name)).match(path, { ignoreVary: true });

// Keeps what may be seen again, and lets go of what is not open to this person any more.
async function keep(path, answer) {
  if (GONE.includes(answer.status)) await (await caches.open(PAGES)).delete(path);
  else if (answer.ok && !answer.redirected && answer.headers.get("Content-Type")?.startsWith("text/html")) {
    await (await caches.open(PAGES)).put(path, answer);
  }
}

// A page as it was seen, saying so.
async function seen(stored, closer) {
  const tapped = /^\w+$/.test(closer) ? `data-closer="${closer}" ` : "";
  const html = (await stored.text()).replace("<main ", `<main data-seen="${stored.headers.get("Date") || ""}" ${tapped}`);
  const headers = new Headers(stored.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(html, { headers });
}

async function page(event, { pathname, searchParams }) {
  const isKept = KEPT.test(pathname);
  const stored = isKept ? await find(PAGES, pathname) : null;
  const closer = searchParams.get("closer");
  const fresh = fetch(event.request);
  if (isKept) event.waitUntil(fresh.then((answer) => keep(pathname, answer.clone())).catch(() => {}));
  try {
    if (!stored) return await fresh;
    const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE); });
    const answer = await Promise.race([fresh, late]);
    return answer && !DOWN.includes(answer.status) ? answer : seen(stored, closer);
  } catch {
    if (stored) return seen(stored, closer);
    return event.request.mode === "navigate" ? find(STORED, OFFLINE) : Response.error();
  }
}

async function file(request, path) {
  if (isHashed(path)) return await find(STORED, path) || fetch(request);
  try {
    return await fetch(request);
  } catch {
    return find(STORED, path);
  }
}

async function install() {
  await (await caches.open(STORED)).addAll([...FILES, OFFLINE]);
  await self.skipWaiting();
}

// Pages kept under the release before would ask for its files: they are fetched anew, or go. The first page of the app is
// always among them.
async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("files-") && name !== STORED) await caches.delete(name);
  await self.clients.claim();
  const pages = await caches.open(PAGES);
  const addresses = (await pages.keys()).map((request) => request.url);
  for (const url of new Set([new URL("/", self.location).href, ...addresses])) {
    await pages.delete(url);
    try {
      await keep(new URL(url).pathname, await fetch(url));
    } catch {
      // It is fetched when it is next opened.
    }
  }
}

async function sync() {
  if (await self.queue.send()) throw new Error("entries still wait"); // so that the browser tries again
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("sync", (event) => { if (event.tag === "queue") event.waitUntil(sync()); });
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const { origin, pathname } = address;
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(file(event.request, pathname));
  else if (event.request.mode === "navigate" || KEPT.test(pathname)) event.respondWith(page(event, address));
});
