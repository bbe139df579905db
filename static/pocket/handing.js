// What the service worker does for a phone that took the app along: where the network is not, it hands what
// is asked for to the window that leads; where it is, it keeps the copy new. Loaded into the worker, so no
// module.

/**
 * @typedef {object} Pocket
 * @property {(request: Request) => boolean} takes whether a page is asked for that only the pocket could have
 * @property {(path: string) => boolean} holds
 * @property {(request: Request) => Promise<Response>} file
 * @property {() => Promise<boolean>} isHere
 * @property {(request: Request, kept?: Response) => Promise<Response | null>} answer
 * @property {(event: Event) => void} notice
 * @property {(patience: number) => number} hurry
 */

/** @type {Pocket} */
self.pocket = (() => {
  const COPY = "/pocket/";
  const OURS = /^\/(static|pocket\/bundle)\//;
  const TOLD = ["HX-Request", "HX-Boosted", "HX-Target", "HX-Current-URL"];
  const REST = 3000; // after a visit or a save, before the copy is asked for
  const OFTEN = 60000; // no visit asks for it sooner again
  const HURRY = 300; // for the network, where it was lost a moment ago
  const MOMENT = 5000;
  const MUTE = 1000; // whoever has not said by then that it leads does not
  let asked = 0;
  let lost = 0;

  const isOpened = ({ mode, headers }) => mode === "navigate" || headers.has("HX-Boosted");
  const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const said = () => self.box.get("said").catch(() => null);

  function question(client, pocket) {
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      const mute = setTimeout(resolve, MUTE, null);
      port1.onmessage = ({ data }) => {
        clearTimeout(mute);
        if (data.isMine !== true) resolve(data.answer ?? null);
      };
      client.postMessage({ pocket }, [port2]);
    });
  }

  async function ask({ url: address, headers: given }) {
    const headers = Object.fromEntries(
      TOLD.filter((name) => given.has(name)).map((name) => [name, given.get(name)]),
    );
    for (const client of await self.clients.matchAll({ type: "window" })) {
      const found = await question(client, { address, headers });
      if (found) return found;
    }
    return null;
  }

  function made({ status, headers, content }) {
    const isEmpty = status === 204 || (status >= 300 && status < 400);
    return new Response(isEmpty ? null : content, { status, headers });
  }

  // Nobody leads yet: a page that is opened begins with the shell; one that htmx asks for is opened.
  async function answer(request, kept) {
    const known = await said();
    if (!known || request.headers.has("X-Pocket")) return null;
    lost = Date.now();
    if (kept && Date.parse(kept.headers.get("Date")) > Date.parse(known.at)) return null;
    const found = await ask(request);
    if (found) return made(found);
    if (request.mode === "navigate") return caches.match(known.shell);
    return isOpened(request) ? new Response("", { headers: { "HX-Redirect": request.url } }) : null;
  }

  // The copy, where it changed, and when that was said. Who is let in no more has none.
  async function refresh() {
    const known = await said();
    if (!known || navigator.connection?.saveData) return;
    const found = await fetch(COPY).catch(() => null);
    if (!found || found.status >= 500) {
      asked = 0;
      return;
    }
    if (!found.ok || found.redirected) return void (await self.box.wipe());
    const about = self.box.about(found);
    const text = await found.text();
    if (!(await said())) return; // taken away meanwhile
    await self.box.put({
      said: { ...known, ...about },
      ...(about.etag === known.etag ? {} : { copy: text }),
    });
  }

  return {
    takes: isOpened,
    holds: (path) => OURS.test(path),
    file: async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request),
    isHere: async () => Boolean(await said()),
    answer,
    notice(event) {
      const isSave = event.request.method === "POST";
      if (!isSave && (!isOpened(event.request) || Date.now() - asked < OFTEN)) return;
      asked = Date.now();
      event.waitUntil(wait(REST).then(refresh));
    },
    hurry: (patience) => (Date.now() - lost < MOMENT ? HURRY : patience),
  };
})();
