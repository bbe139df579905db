// Pages to be opened without a network: what is needed next is fetched while there is one, for the service
// worker to keep, or where there is none, for waiting.js; and none of them stays for another person.

const asked = new Set(); // games the first page was fetched for, which it may not list any more
let isHomeOf = ""; // the game the first page of the app was fetched with, where there is no worker to keep it

// The pages of this game, the entry above all.
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

// Lets go of every page that is not this person's, which stands in each.
export async function letGo(person) {
  const pages = await self.caches?.open("pages");
  for (const request of (await pages?.keys()) ?? []) {
    const page = await pages.match(request);
    if (!(await page.text()).includes(`data-person="${person}"`)) await pages.delete(request);
  }
}

// Has the first page of the app kept as it is for this person, with the game of the page that is open.
export async function fetchHome(person) {
  const [, game = ""] = /^\/g\/([\w-]+)\//.exec(location.pathname) ?? [];
  if (location.pathname === "/") return;
  const kept = await self.caches?.match("/", { ignoreVary: true });
  const home = (await kept?.text()) ?? "";
  const hasGame = !game || home.includes(`/g/${game}/`) || asked.has(game);
  if (home.includes(`data-person="${person}"`) && hasGame) return;
  asked.add(game);
  await fetch("/");
}
