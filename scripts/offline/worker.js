// The service worker, without Workbox, since the outbox keeps an order for each game (outbox.js).
//
// It serves files from the cache, and pages from the network or otherwise from the cache, and runs the
// outbox in background sync. A copy is replaced only by a whole answer of the site (site.js), and removed
// only if the site says so. /sw.js defines RELEASE, FILES and OFFLINE before this.

const OURS = "files-"; // the names of the caches for the files of a release
const STORED = OURS + RELEASE;
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
const NETWORK = "/network/"; // left to the network, which may ask for something first
const PATIENCE = 4000;
const GONE = [403, 404];
const DOWN = [502, 503, 504]; // from a proxy whose server is down

const HASHED = /\/[\w./-]+\.[0-9a-f]{12}\.(css|js)\b/g;
const pause = () => new Promise((resolve) => setTimeout(resolve, PATIENCE));
const isHashed = (path) => /\.[0-9a-f]{12}\./.test(path);
const find = async (name, path) => (await caches.open(name)).match(path, { ignoreVary: true });

// Cache a page in place of its copy, or remove the copy if the site says that this person may no longer open
// it. If their access to the table has ended, remove all its pages. A page with a query string is not cached:
// it shows a tapped face or a short-lived message. A redirect may be the network's: follow it to see.
async function keep({ pathname, search }, answer) {
  const pages = await caches.open(PAGES);
  if (answer.type === "opaqueredirect") return (await find(PAGES, pathname)) && fetchAgain(pathname);
  if (!(await self.site.isOurs(answer))) return;
  if (answer.headers.has("X-Access")) return dropTable(pathname);
  if (answer.redirected || GONE.includes(answer.status)) await pages.delete(pathname);
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

// Whether a page is cached, and all its styles and scripts are of this release.
async function isCurrent(path) {
  const stored = await find(PAGES, path);
  const needed = (await stored?.text())?.match(HASHED) ?? [];
  return Boolean(stored) && needed.every((file) => FILES.includes(file));
}

const arriving = new Map(); // promises of pages being cached, by path
const requested = new Set(); // games the first page was fetched for: it may not list them

// Cache an open page, even if its copy is of an earlier release, or another person on this phone had it
// removed. Also cache the first page with the game of the open page, because a phone without a network starts
// there.
async function keepOpen({ person, path }) {
  await Promise.race([arriving.get(path), pause()]);
  if (KEPT.test(path) && !(await isCurrent(path))) await fetchAgain(path);
  await dropFiles();
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

// A cached page, marked as such and as the site's, also if a release stored it that marked nothing. It says
// whether the network answered in the site's place.
async function seen(stored, closer, isForeign = false) {
  const tapped = /^\w+$/.test(closer ?? "") ? `data-closer="${closer}" ` : "";
  const html = (await stored.text()).replace(
    "<main ",
    `<main data-seen="${stored.headers.get("Date") || ""}" ${tapped}${isForeign ? "data-network " : ""}`,
  );
  const headers = new Headers(stored.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set(self.site.MARK, RELEASE);
  return new Response(html, { headers });
}

// Whether an answer may be shown instead of the copy: it is a redirect, or a whole answer of the site.
async function isBetter(answer) {
  if (answer.type === "opaqueredirect") return true;
  if (DOWN.includes(answer.status) || !(await self.site.isOurs(answer))) return false;
  await answer.clone().arrayBuffer(); // fails if it was cut
  return true;
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
    const isFresh = await Promise.race([fresh.then(isBetter), pause()]);
    if (isFresh) return await fresh;
    // After the pause nothing is known of the answer.
    return seen(stored, closer, isFresh === false && self.site.isForeign(await fresh));
  } catch {
    if (stored) return seen(stored, closer);
    return event.request.mode === "navigate" ? find(STORED, OFFLINE) : Response.error();
  }
}

// A file of this release, or of an earlier one that a copy needs.
async function file(request, path) {
  const stored = (await find(STORED, path)) ?? (await caches.match(path, { ignoreVary: true }));
  if (isHashed(path) && stored) return stored;
  const fresh = await fetch(request).catch((error) => stored ?? Promise.reject(error));
  return !stored || self.site.isMarked(fresh) ? fresh : stored;
}

async function install() {
  const files = await caches.open(STORED);
  await Promise.all([...FILES, OFFLINE].map((path) => storeFile(files, path)));
  await self.skipWaiting();
}

// Store a file of the site. The browser's cache may have it from a release that marked nothing: then fetch
// it again.
async function storeFile(files, path) {
  let answer = await fetch(path);
  if (!self.site.isMarked(answer)) answer = await fetch(path, { cache: "reload" });
  if (!answer.ok || !(await self.site.isOurs(answer))) throw new Error(path);
  await files.put(path, answer);
}

// Take over, and replace the pages of earlier releases. No page loads until this has ended, so it is limited
// to the time that a page waits for a slow network.
async function activate() {
  await self.clients.claim();
  await Promise.race([replacePages(), pause()]);
}

// Fetch the home page again, the open pages and those of running games. The other copies stay as they are.
async function replacePages() {
  const open = (await self.clients.matchAll()).map(({ url }) => new URL(url).pathname);
  for (const path of [HOME, ...open.filter((path) => KEPT.test(path))]) await replace(path);
  const pages = await caches.open(PAGES);
  for (const { url } of await pages.keys()) {
    const path = new URL(url).pathname;
    if (await isRunning(path)) await replace(path);
  }
  await dropFiles();
}

// Fetch a page unless its copy is of this release. If that fails, the copy stays.
async function replace(path) {
  if (!(await isCurrent(path))) await fetchAgain(path).catch(() => {});
}

// Remove the files of earlier releases that no copy needs.
async function dropFiles() {
  const { installing, waiting } = self.registration; // the next release, whose files have to stay
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== STORED);
  if (!old.length || installing || waiting) return;
  const pages = await caches.open(PAGES);
  const texts = await Promise.all((await pages.keys()).map(async (copy) => (await pages.match(copy)).text()));
  const needed = new Set(texts.flatMap((text) => text.match(HASHED) ?? []));
  for (const file of FILES) needed.delete(file);
  for (const name of old) {
    const files = await (await caches.open(name)).keys();
    if (!files.some(({ url }) => needed.has(new URL(url).pathname))) await caches.delete(name);
  }
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
// An open page reports that its access has ended, or its path and its person, or that nothing controls it.
self.addEventListener("message", (event) => {
  const { gone, open, isMissed } = event.data;
  event.waitUntil(isMissed ? self.clients.claim() : gone ? dropTable(gone) : keepOpen(open));
});
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const { origin, pathname } = address;
  const isOther = origin !== self.location.origin || pathname === NETWORK;
  if (event.request.method !== "GET" || isOther) return;
  if (FILES.includes(pathname) || isHashed(pathname)) event.respondWith(file(event.request, pathname));
  else if (event.request.mode === "navigate" || KEPT.test(pathname)) event.respondWith(page(event, address));
});
