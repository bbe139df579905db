// Pages for use without a network: fetch those needed next, for the cache of the service worker or for
// waiting.js, and remove the pages of another person.

const requested = new Set(); // games for which the home page was fetched: it may not list them
let isHomeOf = ""; // the game for which the home page was fetched without a service worker

// Fetch the pages of this game, the entry of the next round first.
export async function fetchAhead({ game, script, ahead = "" }, isKept) {
  const waiting = isKept ? null : await import(script).catch(() => null);
  const home = isKept || isHomeOf === game ? [] : ["/"];
  isHomeOf = game;
  for (const address of [...ahead.split(" ").filter(Boolean), ...home]) {
    const answer = await fetch(address).catch(() => null);
    if (!answer) return;
    if (answer.ok && !answer.redirected) waiting?.hold(address, await answer.text());
  }
}

// Remove every cached page that is not marked as this person's.
export async function letGo(person) {
  const pages = await self.caches?.open("pages");
  for (const request of (await pages?.keys()) ?? []) {
    const page = await pages.match(request);
    if (!(await page.text()).includes(`data-person="${person}"`)) await pages.delete(request);
  }
}

// Have the home page of this person cached, with the game of the open page in it.
export async function fetchHome(person) {
  const [, game = ""] = /^\/g\/([\w-]+)\//.exec(location.pathname) ?? [];
  if (location.pathname === "/") return;
  const kept = await self.caches?.match("/", { ignoreVary: true });
  const home = (await kept?.text()) ?? "";
  const hasGame = !game || home.includes(`/g/${game}/`) || requested.has(game);
  if (home.includes(`data-person="${person}"`) && hasGame) return;
  requested.add(game);
  await fetch("/");
}
