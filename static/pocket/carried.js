// On every page of a phone that carries the app: answer the service worker if this window leads, and show
// pages as the site has them once its facts were sent.

import { stored } from "../base/memory.js";
import { unsent } from "../offline/entries.js";
import { CONFLICTS, outbox, pad } from "../offline/place.js";
import { serve } from "./lead.js";
import "./taken.js";

const TYPED = "#main :is(input:not([type=hidden]), select, textarea:not([readonly]))";

const here = () => self.box.get("said").catch(() => null);

// Show the page as the site has it now, or the conflict of its game. A page that is being filled in stays;
// only its outdated marks go.
async function renew() {
  const copyState = await here();
  if (!copyState || !document.querySelector("#main .onlyhere")) return;
  const moved = self.box.movedBy(copyState, location.pathname);
  if (moved) return follow(...moved);
  if (pad() || document.querySelector(TYPED)) {
    for (const mark of document.querySelectorAll("#main .onlyhere")) mark.remove();
    return;
  }
  const { held } = await unsent();
  const isHeld = ({ game }) => game && location.pathname.startsWith(`/g/${game}/`);
  if (held.some(({ facts }) => facts.some(isHeld))) return location.assign(CONFLICTS);
  window.htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" });
}

// Open the page under the code that its game has at the site, with its drafts.
function follow(code, moved) {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(`draft:${code}:`)) continue;
    stored(key.replace(code, moved), stored(key));
    stored(key, null);
  }
  location.replace(location.href.replace(code, moved));
}

const isCarried = Boolean(await here());
stored("carried", isCarried ? "yes" : null);
serve();
outbox.heard(({ sent }) => sent && renew());
