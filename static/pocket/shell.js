// A launch without a network, before any window is open: start the engine, and let its page replace this one
// in the same document, so that the engine keeps running.

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
  const isMissing = answer?.status === 404; // as of a table that the copy leaves out
  return elsewhere ? "" : (isMissing && (await fromKept())) || answer?.content;
}

// The cached page, if there is one.
async function fromKept() {
  const kept = await fetch(location.href, { headers: { "X-Pocket": "none" } }).catch(() => null);
  return kept?.text();
}

const deadSpot = async () => (await caches.match(offline)).text();
const page = (await fromPocket().catch(() => null)) ?? (await fromKept()) ?? (await deadSpot());
if (page) {
  document.open();
  document.write(page);
  document.close();
  serve();
}
