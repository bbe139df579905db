// Every page of a phone that took the app along: it answers the service worker where it leads, has what
// waits sent as soon as the site can be reached, and says what the site would not do.

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

// What waits of whose phone this is, and what is held.
export async function unsent() {
  const copyState = await here();
  return copyState ? self.box.unsent(copyState.person) : { facts: [], held: [] };
}

// Has all sent that can be; over once that was tried.
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

// Sends for as long as something waits, less and less often, and at once when somebody looks again.
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

// The page as the site has it now, or what it would not do of its game; one that is being filled in is left
// alone, but for what it says no longer.
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

// The page under the code its game has at the site, with what is half entered there.
function follow(code, moved) {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(`draft:${code}:`)) continue;
    stored(key.replace(code, moved), stored(key));
    stored(key, null);
  }
  location.replace(location.href.replace(code, moved));
}

// That something is held, on every page but the one that shows it.
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
