// The pages the service worker keeps on this phone: whose they are, and the first page of the app among them.

const asked = new Set(); // games the first page was fetched for, which it may not list any more

// Lets go of every page that is not this person's, which stands in each.
export async function letGo(person) {
  const pages = await self.caches?.open("pages");
  for (const request of (await pages?.keys()) ?? []) {
    if (!(await (await pages.match(request)).text()).includes(`data-person="${person}"`))
      await pages.delete(request);
  }
}

// Has the first page of the app kept as it is for this person, with the game of the page that is open.
export async function fetchHome(person) {
  const [, game = ""] = /^\/g\/([\w-]+)\//.exec(location.pathname) ?? [];
  if (location.pathname === "/") return;
  const home = (await (await self.caches?.match("/", { ignoreVary: true }))?.text()) ?? "";
  if (home.includes(`data-person="${person}"`) && (!game || home.includes(`/g/${game}/`) || asked.has(game)))
    return;
  asked.add(game);
  await fetch("/");
}
