// The service worker's part on a phone that carries the app: without a network it passes requests and forms
// to the window that leads; with one it sends facts and refreshes the copy. While a table has unsent facts
// all its pages come from the phone, so that there is one version. Loaded into the worker, so it is no
// module.

/**
 * @typedef {object} Pocket
 * @property {(request: Request) => boolean} takes whether the request opens a page that the app may answer
 * @property {(path: string) => boolean} holds
 * @property {(path: string) => boolean} rules whether the path may belong to a table with unsent facts, or
 *   opens one
 * @property {(request: Request) => Promise<Response>} file
 * @property {() => Promise<boolean>} isHere
 * @property {(event: Event) => Promise<Response | null>} own the answer if only this phone has it
 * @property {(event: Event, kept?: Response) => Promise<Response | null>} answer
 * @property {(event: Sent) => Promise<Response>} form the answer to a posted form
 * @property {number} saves how long a window that took a save may take for its answer
 * @property {(event: Event) => void} notice
 * @property {(patience: number) => number} hurry
 *
 * @typedef {Pick<Event, "request" | "clientId">} Sent
 */

/** @type {Pocket} */
self.pocket = (() => {
  const OURS = /^\/(static|pocket\/bundle)\//;
  const RULED = /^\/([gt]\/|new\/$)/;
  const PLACE = /^\/[gt]\/[\w-]+\//; // a game or a table
  const TOLD = ["HX-Request", "HX-Boosted", "HX-Target", "HX-Current-URL"];
  const POLL = "X-Ticket";
  const FORM = "application/x-www-form-urlencoded";
  const REST = 3000; // after a visit or a save, before the copy is fetched
  const OFTEN = 60000; // visits fetch it at most this often
  const HURRY = 300; // the patience with a network that was lost a moment ago
  const PATIENCE = 4000;
  const MOMENT = 5000;
  const MUTE = 1000; // a window that has not answered by then does not lead
  const BEGINS = 6000; // the same for a window that has to start the engine
  const OPENS = 120000; // the first page of a slow phone takes a third of that
  const RECORDS = 280000; // a save may take that long; the browser ends this worker after five minutes
  const DOWN = [502, 503, 504];
  const LATE = { isLate: true };
  const PREVIEW = /\/preview\/$/; // posted like a save, but records nothing
  let refreshedAt = 0;
  let noticed = 0;
  let lost = 0;
  let answered = 0; // saves that windows answered
  const polled = new Map(); // how many those were at the last poll of each page
  let isCarried; // unknown until the first look-up

  const isOpened = ({ mode, headers }) => mode === "navigate" || headers.has("HX-Boosted");
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const pathOf = ({ url }) => new URL(url).pathname;

  async function copyState() {
    const known = await self.box.get("said").catch(() => null);
    isCarried = Boolean(known);
    return known;
  }
  copyState();

  const isSave = ({ method, url }) => method === "POST" && !PREVIEW.test(new URL(url).pathname);

  // The answer of a window: undefined if it does not lead, null if it has none, LATE if it has none yet.
  // `heard` is called once the window takes the question, and returns how long to wait for the answer.
  function question(client, pocket, patience, heard) {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      let mute = setTimeout(() => end(undefined), patience);
      const end = (reply) => {
        clearTimeout(mute);
        port1.close();
        resolve(reply);
      };
      port1.onmessage = ({ data }) => {
        if (data.isMine === false) end(undefined);
        else if (!data.isMine) end(data.answer ?? null);
        else {
          clearTimeout(mute);
          mute = setTimeout(() => end(LATE), heard()); // the window may be closed in the meantime
          port1.postMessage("do");
        }
      };
      client.postMessage({ pocket }, [port2]);
    });
  }

  // The answer of the window that leads. One that is being left answers only if its engine runs: WebKit stops
  // the loading of an engine there. If none leads, the requesting page starts the engine, unless it is being
  // left for another page: that page starts its own at once. The page hears that a window took its question
  // (taken.js).
  async function ask(request, body, page) {
    const { url: address, method, headers: given } = request;
    const headers = Object.fromEntries(
      TOLD.filter((name) => given.has(name)).map((name) => [name, given.get(name)]),
    );
    const forwarded = { address, method, headers, body };
    const heard = () => {
      page?.postMessage({ taken: address, isSave: isSave(request) });
      return isSave(request) ? self.pocket.saves : OPENS;
    };
    const isLeaving = request.mode === "navigate" && method === "GET";
    for (const client of await self.clients.matchAll({ type: "window" })) {
      const isLeft = isLeaving && client.visibilityState === "visible"; // the others are in the background
      const reply = await question(client, { ...forwarded, isLeft }, MUTE, heard);
      if (reply !== undefined) return reply;
    }
    if (!page || isLeaving) return undefined;
    return question(page, { ...forwarded, begins: true }, BEGINS, heard);
  }

  function made({ status, headers, content }) {
    const isEmpty = status === 204 || (status >= 300 && status < 400);
    return new Response(isEmpty ? null : content, { status, headers });
  }

  // If no window can answer, a navigation gets the shell page, and an htmx request becomes a navigation.
  async function fromPhone(known, { request, clientId }) {
    const page = clientId ? await self.clients.get(clientId) : undefined; // a new window has none
    if (request.method !== "GET") return posted(known, request, page);
    const reply = await ask(request, "", page);
    if (reply?.status) return made(reply);
    if (request.mode === "navigate") return caches.match(known.shell);
    const isLost = reply === undefined && isOpened(request);
    return isLost ? new Response("", { headers: { "HX-Redirect": request.url } }) : null;
  }

  // The answer to a form: undefined if no window took it, null if one did and nothing is stored. If there is
  // no answer and its fact is stored, lead to the game or table, or to a new table's game; otherwise nobody
  // knows yet.
  async function posted({ person }, request, page) {
    const body = await request.text();
    const before = await factsOf(person);
    const reply = await ask(request, body, page);
    if (isSave(request)) answered += 1;
    if (reply?.status) return made(reply);
    if (reply === undefined) return undefined;
    if (!isSave(request)) return null;
    const facts = await factsOf(person);
    const key = new URLSearchParams(body).get("key");
    const stored = facts.filter((fact) => fact.key === key).at(-1);
    const [place] = PLACE.exec(pathOf(request)) ?? [`/g/${stored?.game}/`];
    if (stored) return Response.redirect(place, 303);
    const isSame = JSON.stringify(facts) === JSON.stringify(before);
    return !reply && isSame ? null : new Response(null, { status: 504 });
  }

  const factsOf = async (person) => (await self.box.unsent(person)).facts;

  async function answer(event, kept) {
    const known = await copyState();
    if (!known || event.request.headers.has("X-Pocket")) return null;
    lost = Date.now();
    if (kept && Date.parse(kept.headers.get("Date")) > Date.parse(known.at)) return null;
    const reply = await fromPhone(known, event);
    return kept && reply?.status === 404 ? null : reply; // of a table that the copy leaves out
  }

  // Redirect to the site's code of a game or table that has another one there.
  function elsewhere(known, { url }) {
    const moved = self.box.movedBy(known, new URL(url).pathname);
    return moved && Response.redirect(url.replace(...moved));
  }

  // A sheet polls every two seconds, but the phone has news for it only after a save.
  function isIdle({ request, clientId }) {
    if (!request.headers.has(POLL)) return false;
    const isIdle = polled.get(clientId) === answered;
    polled.set(clientId, answered);
    return isIdle;
  }

  async function own(event) {
    const known = await copyState();
    const { request } = event;
    if (!known || request.headers.has("X-Pocket")) return null;
    if (!self.box.isOwn(known, pathOf(request))) return elsewhere(known, request);
    return isIdle(event) ? new Response(null, { status: 204 }) : fromPhone(known, event);
  }

  // Send a form to another address. WebKit would lose its fields in a redirect.
  async function sent(request, address) {
    const { method, headers, redirect } = request;
    return fetch(address, { method, headers, redirect, body: await request.text() });
  }

  // Send a form to the site, or to this phone if the site does not answer or the phone has unsent facts of
  // the table. If a window took it and stored nothing, a lost network means that it was not recorded. A form
  // that was on no page of ours goes to the site, which refuses it.
  async function form({ request, clientId }) {
    const known = await copyState();
    const isOurs = request.referrer.startsWith(`${self.location.origin}/`);
    const isForm = request.headers.get("Content-Type")?.startsWith(FORM);
    if (!known?.person || !isOurs || !isForm) return fetch(request);
    const isOwn = self.box.isOwn(known, pathOf(request));
    const moved = isOwn ? null : self.box.movedBy(known, pathOf(request));
    if (moved) return sent(request, request.url.replace(...moved));
    const here = { request: request.clone(), clientId };
    const fresh = isOwn ? null : fetch(request);
    if (fresh) {
      fresh.catch(() => {});
      const late = wait(hurry(PATIENCE));
      const reply = await Promise.race([fresh, late]).catch(() => null);
      if (reply && !DOWN.includes(reply.status)) return reply;
      lost = Date.now();
    }
    const reply = await fromPhone(known, here);
    if (reply) return reply;
    const site = fresh ?? fetch(request);
    return reply === null ? site.catch(() => new Response(null, { status: 502 })) : site;
  }

  const hurry = (patience) => (Date.now() - lost < MOMENT ? HURRY : patience);

  async function send() {
    await self.outbox.send();
    await self.outbox.refresh().catch(() => {
      refreshedAt = 0;
    });
  }

  // A window of an older release requests a sync, and is notified after the attempt.
  self.addEventListener("message", (event) => {
    if (event.data?.send) event.waitUntil(self.outbox.send().finally(() => event.ports[0]?.postMessage({})));
  });

  return {
    takes: isOpened,
    holds: (path) => OURS.test(path),
    rules: (path) => isCarried !== false && RULED.test(path),
    file: async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request),
    isHere: async () => Boolean(await copyState()),
    own,
    answer,
    form,
    saves: RECORDS,
    notice(event) {
      const isSave = event.request.method === "POST" && !PREVIEW.test(pathOf(event.request));
      if (!isSave && (!isOpened(event.request) || Date.now() - refreshedAt < OFTEN)) return;
      refreshedAt = Date.now();
      noticed += 1;
      const own = noticed;
      event.waitUntil(wait(REST).then(() => own === noticed && send())); // only for the last of several
    },
    hurry,
  };
})();
