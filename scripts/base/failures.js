// Messages for failed requests, by their purpose (opening a page, recording, previewing) and their fate
// (lost, arrived without an answer, or an error), and for queued entries. If the network answers in the
// site's place, the message has a key that opens what the network asks for.

import { FAILURES, messages, wasSent, warn } from "./page.js";
import { piece } from "./dom.js";

const NETWORK = "/network/"; // the service worker never answers it
const FULL = 507; // only of a folder without a site, whose database is on this phone
const FATES = { 408: "unheard", 502: "lost", 503: "lost", 504: "unheard" };
const SAID = {
  get: { lost: "open", unheard: "open", broken: "shut" },
  post: { lost: "record", unheard: "unheard", broken: "broken" },
  ask: { lost: "ask", unheard: "ask", broken: "shut" },
};

let isSaid = false; // whether the network was reported since the site last answered

const purpose = ({ verb }, element) => (verb !== "get" && !element.matches("form") ? "ask" : verb);

// A request without an answer counts as a timeout, or as a server that is down.
const failure = (xhr) => FATES[xhr.status || (wasSent(xhr) ? 408 : 502)] ?? "broken";

// Say that this network asks for something first, with the key that opens it.
export function warnOfNetwork(text = messages().network) {
  isSaid = true;
  const key = piece("a", "btn text", messages().fix);
  Object.assign(key, { href: NETWORK, target: "_blank", rel: "noopener" });
  warn(`${text} `, key);
}

// Say that an entry is queued, and why.
/** @type {(lost: { why?: object, status: number, isForeign?: boolean } | null) => void} */
export function sayKept(lost) {
  const { broken, later, kept, held } = messages();
  if (lost?.isForeign) warnOfNetwork(held);
  else warn(lost?.why ? broken : lost?.status === 429 ? later : kept);
}

// The entry was recorded: do not say any longer that it is kept.
export function unsayKept() {
  const { later, kept } = messages();
  if ([later, kept].includes(document.getElementById("trouble").textContent)) warn();
}

// No message for a failed preview, because the hands are still on the phone and saving requests it again, nor
// for a page that reloaded by itself, because it shows how old it is.
function fail({ type, target, detail: { xhr, requestConfig } }) {
  if (target.id === "consequences" || target === document.body) return;
  if (self.site?.isForeign(xhr)) return warnOfNetwork();
  const { full } = messages();
  if (full && xhr.status === FULL) return warn(full);
  const isBusy = xhr.status === 429 && type === "htmx:responseError"; // the site's own answer
  warn(isBusy ? xhr.response : messages()[SAID[purpose(requestConfig, target)][failure(xhr)]]);
}

for (const name of FAILURES) document.addEventListener(name, fail);
// Once for each time that the network answers for the site, however often a page polls.
window.addEventListener("site:foreign", () => isSaid || warnOfNetwork());
window.addEventListener("site:here", () => {
  isSaid = false;
  if (document.querySelector(`#trouble [href="${NETWORK}"]`)) warn();
});
