// The service worker of a folder without a site: files come from its cache, and the leading window answers
// the app's addresses. sw.js defines RELEASE, FILES, SIZE, ENGINE, PLACES, POLICY and WORKER_POLICY before
// this.

const SCOPE = self.registration.scope;
const ROOT = new URL(SCOPE).pathname;
const OURS = `anotador ${ROOT} `;
const CACHE = OURS + RELEASE;
const HASHED = /^(static|engine)\//;
const KNOWN = new Set(FILES.map((name) => new URL(name, SCOPE).href));
const TOLD = ["HX-Request", "HX-Boosted", "HX-Current-URL", "Accept-Language"];
const POLL = "X-Ticket";
const STEPS = 50; // of the download's progress
const MUTE = 1000; // a window that does not answer in time does not lead
const BEGINS = 6000; // the same for a window that has to start the engine
const ANSWERS = 280000; // the browser ends this worker after five minutes
const TYPES = { zip: "application/zip", tar: "application/x-tar", wasm: "application/wasm" };

let saves = 0;
const polled = new Map(); // the number of saves at each window's last poll

// Other addresses below the folder, such as another folder's, belong to the host.
const isOfApp = (address) => PLACES.includes(new URL(address).pathname.slice(ROOT.length).split("/")[0]);

// Files with a hash in their name never change. The browser's cache may have other files of the previous
// release, and some hosts still send one: then this release is not installed yet.
async function install() {
  const cache = await caches.open(CACHE);
  const counted = counting();
  const keep = async (name) => {
    const address = new URL(name, SCOPE);
    const answer = await fetch(address, { cache: HASHED.test(name) ? "default" : "no-cache" });
    if (!answer.ok) throw new Error(name);
    await cache.put(address, new Response(answer.body.pipeThrough(counted()), { headers: answer.headers }));
  };
  await Promise.all(FILES.map(keep));
  const first = await (await cache.match(SCOPE)).text();
  if (!first.includes(ENGINE)) throw new Error("the first page is of another release");
}

// Return a function that creates streams, which report the downloaded share of all files to the first page.
function counting() {
  let got = 0;
  const tell = async () => {
    for (const client of await self.clients.matchAll({ includeUncontrolled: true }))
      client.postMessage({ got: got / SIZE });
  };
  const count = (chunk, stream) => {
    const before = got;
    got += chunk.length;
    if (Math.floor((before / SIZE) * STEPS) < Math.floor((got / SIZE) * STEPS)) tell();
    stream.enqueue(chunk);
  };
  return () => new TransformStream({ transform: count });
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(OURS) && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

// A file of the folder; large ones are stored compressed.
async function file(address) {
  const cache = await caches.open(CACHE);
  const isPacked = KNOWN.has(`${address}.gz`);
  const name = isPacked ? `${address}.gz` : address;
  const stored = (await cache.match(name)) ?? (await fetch(name));
  const headers = new Headers({ "Content-Type": stored.headers.get("Content-Type") ?? "" });
  if (isPacked) headers.set("Content-Type", TYPES[address.split(".").at(-1)]);
  if (address.endsWith("js")) headers.set("Content-Type", "text/javascript");
  headers.set("Content-Security-Policy", address.endsWith(`/${ENGINE}`) ? WORKER_POLICY : POLICY);
  return new Response(isPacked ? await unpacked(stored) : stored.body, { headers });
}

// Some hosts send a compressed file with a header that makes the browser unpack it.
async function unpacked(stored) {
  const packed = await stored.blob();
  const [first, second] = new Uint8Array(await packed.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  return isPacked ? packed.stream().pipeThrough(new DecompressionStream("gzip")) : packed;
}

// The answer of a window: undefined if it does not lead, null if it did not answer in time.
function question(client, message, patience) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    let late = setTimeout(() => end(undefined), patience);
    const end = (answer) => {
      clearTimeout(late);
      port1.close();
      resolve(answer);
    };
    port1.onmessage = ({ data }) => {
      if (data.isMine === false) end(undefined);
      else if (!data.isMine) end(data.answer ?? null);
      else {
        clearTimeout(late);
        late = setTimeout(() => end(null), ANSWERS); // the window may be closed in the meantime
        port1.postMessage("do");
      }
    };
    client.postMessage(message, [port2]);
  });
}

// Firefox waits for a window that does not respond, and lists none until then.
function windows() {
  const late = new Promise((resolve) => setTimeout(resolve, MUTE, []));
  return Promise.race([self.clients.matchAll({ type: "window" }), late]);
}

async function ask(asked, page) {
  for (const client of await windows()) {
    const answer = await question(client, { asked }, MUTE);
    if (answer !== undefined) return answer;
  }
  return page && question(page, { asked, begins: true, engine: new URL(ENGINE, SCOPE).href }, BEGINS);
}

// A page of the app. If no window leads, the first page starts the engine and opens the address behind `#`.
async function page({ request, clientId }) {
  const { method, mode, headers: given } = request;
  const [address] = request.url.split("#");
  const isSave = method === "POST";
  if (isSave && !request.referrer.startsWith(SCOPE)) return new Response(null, { status: 403 });
  if (given.has(POLL)) {
    if (polled.get(clientId) === saves) return new Response(null, { status: 204 });
    polled.set(clientId, saves);
  }
  const headers = Object.fromEntries(
    TOLD.filter((name) => given.has(name)).map((name) => [name, given.get(name)]),
  );
  headers["Accept-Language"] ??= self.navigator.languages.join(",");
  const body = isSave ? await request.arrayBuffer() : undefined;
  const asked = { address, method, headers, body, kind: given.get("Content-Type") ?? "" };
  const client = clientId ? await self.clients.get(clientId) : undefined; // a new window has none
  const answer = await ask(asked, client);
  if (isSave) saves += 1;
  if (answer?.status) {
    const { status, headers: sent, content } = answer;
    const isEmpty = status === 204 || (status >= 300 && status < 400);
    return new Response(isEmpty ? null : content, { status, headers: sent });
  }
  const shell = `${SCOPE}#${address.slice(SCOPE.length - 1)}`;
  if (!isSave && mode === "navigate") return Response.redirect(shell);
  // If no window took a save, nothing was recorded. If one took it and did not answer, it may have been.
  return new Response(null, { status: answer === undefined ? 502 : 504 });
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
// Also control a page that was loaded without this worker, e.g. by a forced reload, or that is controlled by
// the worker of a site above the folder.
self.addEventListener("message", (event) => {
  if (event.data === "claim") event.waitUntil(self.clients.claim());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const [address] = request.url.split("#");
  if (!address.startsWith(SCOPE)) return;
  if (address === `${SCOPE}index.html`) return event.respondWith(Promise.resolve(Response.redirect(SCOPE)));
  const isFile = KNOWN.has(address) || KNOWN.has(`${address}.gz`);
  const isHome = address === SCOPE && request.mode !== "navigate";
  if (isFile && !isHome && request.method === "GET") event.respondWith(shellOr(event, address));
  else if (isOfApp(address)) event.respondWith(page(event));
});

// The folder's own address is the home page while a window leads, otherwise the first page.
async function shellOr(event, address) {
  if (address !== SCOPE) return file(address);
  const isAnybody = (await windows()).length > 0;
  const isOpen = isAnybody && event.clientId === "" ? await page(event) : null;
  if (isOpen?.status !== 200) return file(address);
  const [, wanted] = event.request.url.split("#/"); // as in store.js
  return wanted ? Response.redirect(SCOPE + wanted) : isOpen;
}
