// A launch without a network, before any window is open: begins the engine, and lets the page it answers
// take this one's place, so that the engine lives on under it.

import { stored } from "../base/memory.js";
import { ask, lead, serve } from "./lead.js";

const { offline } = document.documentElement.dataset;

async function fromPocket() {
  const copyState = await self.box.get("said");
  if (!copyState || !(await lead())) return null;
  stored("carried", "yes");
  const answer = await ask(copyState, {
    address: location.href,
    method: "GET",
    headers: { accept: "text/html" },
  });
  const [, elsewhere] = answer?.headers.find(([name]) => name === "Location") ?? [];
  if (elsewhere) location.replace(elsewhere);
  return elsewhere ? "" : answer?.content;
}

// As this phone last saw the page, or that there is no connection.
async function fromKept() {
  const kept = await fetch(location.href, { headers: { "X-Pocket": "none" } }).catch(() => null);
  return (kept ?? (await caches.match(offline))).text();
}

const page = (await fromPocket().catch(() => null)) ?? (await fromKept());
if (page) {
  document.open();
  document.write(page);
  document.close();
  serve();
}
