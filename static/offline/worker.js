// The service worker, without Workbox, since the outbox keeps an order for each game (outbox.js).
//
// It serves files of this release from the cache, and pages from the network or otherwise from the cache, and
// runs the outbox in background sync. /sw.js defines RELEASE, FILES and OFFLINE before this.

const STORED = `files-${RELEASE}`;
const PAGES = "pages";
// The pages to cache for dead spots: the first page, those of a game, and the accounts with their nights.
// Rounds, offered hands, payments and ticks entered there are queued in the outbox; other forms say that
// nothing was recorded. Invitations, corrections, members, other pages that change something, and partials
// are not cached.
const GAME = "g/[\\w-]+/((round|reentry|hand|settlement|money|rules|board)/)?";
const ACCOUNTS = "t/[\\w-]+/accounts/(nights/[\\d-]+/)?";
const KEPT = new RegExp(`^/(${GAME}|${ACCOUNTS})?$`);
const MOST = 40; // pages; the one opened longest ago is removed first
const HOME = "/";
const PATIENCE = 4000;
const GONE = [403, 404];
const DOWN = [502, 503, 504]; // from a proxy whose server is down

const HASHED = /\/[\w./-]+\.[0-9a-f]{12}\.(css|js)\b/g;
const pause = () => new Promise((resolve) => setTimeout(resolve, PATIENCE));
const isHashed = (path) => /\.[0-9a-f]{12}\./.test(path);
const find = async (name, path) => (await caches.open(name)).match(path, { ignoreVary: true });

// Cache a page, or remove it if this person may no longer open it. If their access to the table has ended,
// remove all its pages. A page with a query string is not cached: it shows a tapped face or a short-lived
// message.
async function keep({ pathname, search }, answer) {
  const pages = await caches.open(PAGES);
  if (answer.headers.has("X-Access")) return dropTable(pathname);
  const isElsewhere = answer.redirected || answer.type === "opaqueredirect";
  if (isElsewhere || GONE.includes(answer.status)) await pages.delete(pathname);
  else if (!search && answer.ok && answer.headers.get("Content-Type")?.startsWith("text/html")) {
    await pages.put(pathname, answer);
    const others = (await pages.keys()).filter(({ url }) => new URL(url).pathname !== HOME);
    for (const oldest of others.slice(0, Math.max(others.length + 1 - MOST, 0))) await pages.delete(oldest);
  }
}

async function fetchAgain(path) {
  const address = new URL(path, self.location.href);
  await keep(address, await fetch(address));
}

// Whether a page is cached, and all its styles and scripts are in this release.
async function isUsable(path) {
  const stored = await find(PAGES, path);
  const needed = (await stored?.text())?.match(HASHED) ?? [];
  return Boolean(stored) && needed.every((file) => FILES.includes(file));
}

const arriving = new Map(); // promises of pages being cached, by path
const requested = new Set(); // games the first page was fetched for: it may not list them

// Cache an open page, even if a new release or another person on this phone had it removed. Also cache the
// first page with the game of the open page, because a phone without a network starts there.
async function keepOpen({ person, path }) {
  await Promise.race([arriving.get(path), pause()]);
  if (KEPT.test(path) && !(await isUsable(path))) await fetchAgain(path);
  const [, game] = /^\/g\/([\w-]+)\//.exec(path) ?? [];
  const home = (await (await find(PAGES, HOME))?.text()) ?? "";
  const hasGame = !game || home.includes(`/g/${game}/`) || requested.has(game);
  if (home.includes(`data-person="${person}"`) && hasGame) return;
  requested.add(game);
  await fetchAgain(HOME);
}

// Remove the cached pages of this address's table.
async function dropTable(pathname) {
  const [, place, code] = /^\/([gt])\/([\w-]+)\//.exec(pathname) ?? [];
  const pages = await caches.open(PAGES);
  const tables = new Map();
  for (const request of await pages.keys()) {
    const [, table] = / data-table="([\w-]+)"/.exec(await (await pages.match(request)).text()) ?? [];
    tables.set(new URL(request.url).pathname, table);
  }
  const ofGame = [...tables].find(([path]) => path.startsWith(`/g/${code}/`));
  const gone = place === "t" ? code : ofGame?.[1];
  for (const [path, table] of tables) if (gone && table === gone) await pages.delete(path);
}

// A cached page, marked as such.
async function seen(stored, closer) {
  const tapped = /^\w+$/.test(closer ?? "") ? `data-closer="${closer}" ` : "";
  const html = (await stored.text()).replace(
    "<main ",
    `<main data-seen="${stored.headers.get("Date") || ""}" ${tapped}`,
  );
  const headers = new Headers(stored.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(html, { headers });
}

async function page(event, address) {
  const { pathname, searchParams } = address;
  const isKept = KEPT.test(pathname);
  const stored = isKept ? await find(PAGES, pathname) : null;
  const closer = searchParams.get("closer");
  const fresh = fetch(event.request);
  fresh.catch(() => {}); // it may fail after the cached page was returned
  const note = (answer) => (isKept || answer.headers.has("X-Access")) && keep(address, answer.clone());
  const kept = fresh.then(note).catch(() => {});
  event.waitUntil(kept);
  arriving.set(pathname, kept);
  try {
    if (!stored) return await fresh;
    const answer = await Promise.race([fresh, pause()]);
    return answer && !DOWN.includes(answer.status) ? answer : seen(stored, closer);
  } catch {
    if (stored) return seen(stored, closer);
    return event.request.mode === "navigate" ? find(STORED, OFFLINE) : Response.error();
  }
}

async function file(request, path) {
  if (isHashed(path)) return (await find(STORED, path)) || fetch(request);
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

// Take over, and replace the pages of the previous release. No page loads until this has ended, so it is
// limited to the time that a page waits for a slow network.
async function activate() {
  await self.clients.claim();
  await Promise.race([replacePages(), pause()]);
}

// Remove the pages that need files of the previous release. Fetch the home page again, the open pages and
// those of running games. An open page asks for itself, but perhaps before the old one was removed.
async function replacePages() {
  for (const name of await caches.keys()) {
    if (name.startsWith("files-") && name !== STORED) await caches.delete(name);
  }
  const pages = await caches.open(PAGES);
  const removed = [];
  for (const { url } of await pages.keys()) {
    const path = new URL(url).pathname;
    if (await isUsable(path)) continue;
    await pages.delete(url);
    if (path !== HOME) removed.push(path);
  }
  const open = (await self.clients.matchAll()).map(({ url }) => new URL(url).pathname);
  const kept = open.filter((path) => KEPT.test(path));
  for (const path of [HOME, ...kept]) await fetchMissing(path);
  for (const path of removed) if (await isRunning(path)) await fetchMissing(path);
}

// Fetch a page unless it is cached. If that fails, it is cached when it is next opened.
async function fetchMissing(path) {
  if (!(await isUsable(path))) await fetchAgain(path).catch(() => {});
}

// Whether the game of this page is unfinished, as far as this phone knows.
async function isRunning(path) {
  const numbers = await self.box.numbers(path.split("/")[2]).catch(() => null);
  return Boolean(numbers) && !numbers.over;
}

async function sync() {
  if (await self.outbox.send()) throw new Error("entries still wait"); // so that the browser tries again
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("sync", (event) => {
  if (event.tag === "queue") event.waitUntil(sync());
});
// An open page reports that its access has ended, or its path and its person.
self.addEventListener("message", (event) => {
  const { gone, open } = event.data;
  event.waitUntil(gone ? dropTable(gone) : keepOpen(open));
});
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const { origin, pathname } = address;
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(file(event.request, pathname));
  else if (event.request.mode === "navigate" || KEPT.test(pathname)) event.respondWith(page(event, address));
});
