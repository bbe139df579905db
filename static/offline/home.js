// The first page in the cache of the service worker, which a phone without a network opens.

import { isOld } from "./place.js";

const requested = new Set(); // games for which the home page was fetched: it may not list them

// Have the home page cached too, with the game of the open page in it.
export async function fetchHome(person) {
  if (isOld() || !navigator.serviceWorker?.controller || location.pathname === "/") return;
  const [, game = ""] = /^\/g\/([\w-]+)\//.exec(location.pathname) ?? [];
  const home = (await (await self.caches?.match("/", { ignoreVary: true }))?.text()) ?? "";
  const hasGame = !game || home.includes(`/g/${game}/`) || requested.has(game);
  if (home.includes(`data-person="${person}"`) && hasGame) return;
  requested.add(game);
  await fetch("/").catch(() => {});
}
