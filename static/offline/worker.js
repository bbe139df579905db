// The service worker: this release's files first, pages from the network and, where there is none, as this
// phone last saw them; what waits is sent also when no page is open. RELEASE, FILES and OFFLINE stand before
// this in /sw.js.

const STORED = `files-${RELEASE}`;
const PAGES = "pages";
// The pages somebody may need in a dead spot, those with forms for money among them: what is ticked off there
// waits, and what else is posted from there says by itself that it was not recorded. Invitations,
// corrections, people, everything else that changes something and partials are never kept.
const KEPT = /^\/(g\/[\w-]+\/((round|reentry|settlement|money|rules|board)\/)?)?$/;
const MOST = 40; // of them; the one opened longest ago goes first
const HOME = "/";
const PATIENCE = 4000;
const GONE = [403, 404];
const DOWN = [502, 503, 504]; // a proxy before a server that is not there

const isHashed = (path) => /\.[0-9a-f]{12}\./.test(path);
const find = async (name, path) => (await caches.open(name)).match(path, { ignoreVary: true });

// Keeps what may be seen again, and lets go of what is not open to this person, or not there, any more. A
// page that was asked for with more than its address, a face that was tapped or news of a moment, is no page
// to come back to.
async function keep({ pathname, search }, answer) {
  const pages = await caches.open(PAGES);
  const isElsewhere = answer.redirected || answer.type === "opaqueredirect";
  if (isElsewhere || GONE.includes(answer.status)) await pages.delete(pathname);
  else if (!search && answer.ok && answer.headers.get("Content-Type")?.startsWith("text/html")) {
    await pages.put(pathname, answer);
    const others = (await pages.keys()).filter(({ url }) => new URL(url).pathname !== HOME);
    for (const oldest of others.slice(0, Math.max(others.length + 1 - MOST, 0))) await pages.delete(oldest);
  }
}

// A page as it was seen, saying so.
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

// Where the network fails: what a phone that took the app along answers itself, or the page as it was seen.
async function without(event, stored, closer) {
  return (await self.pocket?.answer(event, stored)) ?? (stored && seen(stored, closer));
}

async function page(event, address) {
  const own = await self.pocket?.own(event);
  if (own) return own;
  const { pathname, searchParams } = address;
  const isKept = KEPT.test(pathname);
  const stored = isKept ? await find(PAGES, pathname) : null;
  const closer = searchParams.get("closer");
  const fresh = fetch(event.request);
  fresh.catch(() => {}); // it may fail once nobody waits for it any more
  if (isKept) event.waitUntil(fresh.then((answer) => keep(address, answer.clone())).catch(() => {}));
  try {
    if (!stored && !(await self.pocket?.isHere())) return await fresh;
    const late = new Promise((resolve) => {
      setTimeout(resolve, self.pocket?.hurry(PATIENCE) ?? PATIENCE);
    });
    const answer = await Promise.race([fresh, late]);
    if (answer && !DOWN.includes(answer.status)) return answer;
    return (await without(event, stored, closer)) ?? (await fresh);
  } catch {
    const found = await without(event, stored, closer);
    if (found) return found;
    return event.request.mode === "navigate" ? find(STORED, OFFLINE) : Response.error();
  }
}

// A part of a page, of what only this phone has all of.
const part = async (event) => (await self.pocket.own(event)) ?? fetch(event.request);

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

// Pages kept under the release before would ask for its files. The first page of the app and those of games
// that go on are fetched anew, the others go.
async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("files-") && name !== STORED) await caches.delete(name);
  }
  await self.clients.claim();
  const pages = await caches.open(PAGES);
  const wanted = [];
  for (const { url } of await pages.keys()) {
    const address = new URL(url);
    await pages.delete(url);
    if (address.pathname !== HOME && (await isRunning(address))) wanted.push(address);
  }
  for (const address of [new URL(HOME, self.location.href), ...wanted]) {
    const answer = await fetch(address).catch(() => null);
    if (answer) await keep(address, answer); // else when it is next opened
  }
}

// Whether the game of this page goes on, as far as this phone knows.
async function isRunning({ pathname }) {
  const numbers = await self.queue.numbers(pathname.split("/")[2]).catch(() => null);
  return Boolean(numbers) && !numbers.over;
}

async function sync() {
  await self.pocket?.send();
  if (self.pocket && (await self.box.waiting()).length) throw new Error("facts still wait");
  if (await self.queue.send()) throw new Error("entries still wait"); // so that the browser tries again
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("sync", (event) => {
  if (event.tag === "queue") event.waitUntil(sync());
});
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  const { origin, pathname } = address;
  self.pocket?.notice(event);
  const isRuled = origin === self.location.origin && self.pocket?.rules(pathname);
  if (event.request.method === "POST" && isRuled) event.respondWith(self.pocket.form(event));
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (FILES.includes(pathname)) event.respondWith(file(event.request, pathname));
  else if (self.pocket?.holds(pathname)) event.respondWith(self.pocket.file(event.request));
  else if (event.request.mode === "navigate" || KEPT.test(pathname) || self.pocket?.takes(event.request)) {
    event.respondWith(page(event, address));
  } else if (isRuled) event.respondWith(part(event));
});
