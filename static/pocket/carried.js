// On every page of a phone that carries the app: answer the service worker if this window leads, have facts
// sent as soon as the site can be reached, and tell of conflicts.

import { stored } from "../base/memory.js";
import { piece } from "../base/pieces.js";
import { pad } from "../offline/place.js";
import "./box.js";
import { serve } from "./lead.js";

const WAITS = [3000, 5000, 10000, 30000];
const TYPED = "#main :is(input:not([type=hidden]), select, textarea:not([readonly]))";
let tries = 0;
let timer = 0;

const here = () => self.box.get("said").catch(() => null);

// The unsent facts and the conflicts of this phone's person.
export async function unsent() {
  const copyState = await here();
  return copyState ? self.box.unsent(copyState.person) : { facts: [], held: [] };
}

// Have all facts sent; resolves after the attempt.
export function send() {
  const { controller } = navigator.serviceWorker;
  if (!controller) return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    controller.postMessage({ send: true }, [port2]);
  });
}

async function isWaiting() {
  const { facts, held } = await unsent();
  return facts.length > 0 || held.some(({ chosen }) => chosen);
}

// Send while facts wait, less and less often, and at once when the page is shown again.
async function go() {
  clearTimeout(timer);
  if (document.hidden || !(await isWaiting())) return;
  await send();
  if (!(await isWaiting())) return;
  navigator.serviceWorker.ready.then(({ sync }) => sync?.register("queue")).catch(() => {});
  timer = setTimeout(go, WAITS[Math.min(tries, WAITS.length - 1)]);
  tries += 1;
}

function wake() {
  tries = 0;
  go();
}

// Show the page as the site has it now, or the conflict of its game. A page that is being filled in stays;
// only its outdated marks go.
async function renew() {
  tell();
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
  if (held.some(({ facts }) => facts.some(isHeld))) return location.assign(copyState.held);
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

// Show a note about conflicts on every page but the one that lists them.
async function tell() {
  document.getElementById("ways")?.remove();
  const copyState = await here();
  const { held } = await unsent();
  if (!held.length || document.getElementById("held")) return;
  const html = await fetch(copyState.held).then((answer) => answer.text());
  const { news } = new DOMParser().parseFromString(html, "text/html").getElementById("held").dataset;
  document.getElementById("ways")?.remove();
  const toast = piece("a", "toast", news);
  Object.assign(toast, { id: "ways", href: copyState.held });
  toast.setAttribute("hx-boost", "false");
  document.getElementById("unsent").after(toast);
}

const isCarried = Boolean(await here());
stored("carried", isCarried ? "yes" : null);
serve();
navigator.serviceWorker.addEventListener("message", ({ data }) => data.sent && renew());
window.addEventListener("online", wake);
document.addEventListener("visibilitychange", wake);
document.addEventListener("htmx:load", ({ target }) => {
  if (target.id !== "main") return;
  wake();
  tell();
});
wake();
tell();
