// On every page of a phone that carries the app: answer the service worker if this window leads, and show
// pages as the site has them once its facts were sent.

import { stored } from "../base/memory.js";
import { unsent } from "../offline/entries.js";
import { CONFLICTS, isOld, outbox, pad } from "../offline/place.js";
import { serve, startAhead } from "./lead.js";
import "./taken.js";

const TYPED = "#main :is(input:not([type=hidden]), select, textarea:not([readonly]))";

/** @type {() => HTMLInputElement[]} */
const fields = () => [...document.querySelectorAll(TYPED)];

const here = () => self.box.get("said").catch(() => null);

// Show the page as the site has it now, or the conflict of its game or table. A page that is being filled in
// stays; only its outdated marks go, and its form is sent to wherever the game or table is now.
async function renew() {
  const copyState = await here();
  if (!copyState || !document.querySelector("#main .onlyhere")) return;
  const moved = self.box.movedBy(copyState, location.pathname);
  const isChanged = ({ value, defaultValue = value }) => value !== defaultValue;
  if (moved && (pad() || !fields().some(isChanged))) return follow(...moved);
  if (pad() || fields().length) {
    for (const mark of document.querySelectorAll("#main .onlyhere")) mark.remove();
    return;
  }
  const { held } = await unsent();
  const isHeld = ({ kind, game, table }) =>
    location.pathname.startsWith(kind === "table" ? `/t/${table}/` : `/g/${game}/`);
  if (held.some(({ facts }) => facts.some(isHeld))) return location.assign(CONFLICTS);
  window.htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" });
}

// Open the page under the code that its game or table has at the site, with its drafts.
function follow(code, moved) {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(`draft:${code}:`)) continue;
    stored(key.replace(code, moved), stored(key));
    stored(key, null);
  }
  location.replace(location.href.replace(code, moved));
}

const copyState = await here();
stored("carried", copyState ? "yes" : null);
serve();
// Without a network, or while the phone has newer pages than the site, the next tap needs the engine.
if (copyState && (isOld() || copyState.places.length || !navigator.onLine)) startAhead(copyState);
if (copyState) window.addEventListener("offline", () => startAhead(copyState));
outbox.heard(({ sent }) => sent && renew());
