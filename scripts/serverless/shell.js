// The first page of a folder without a site: it asks for the first names while the engine starts. Then the
// app's page replaces it in the same document, so that the engine keeps running.

import { ask, lead, serve, takeLead } from "./lead.js";
import { behind, folder, read } from "./store.js";

// Never another host's address, whatever the link says.
const at = (path) => new URL(`./${path}`, location.origin + folder).href;
const DOWNLOAD = 0.4; // of the progress bar
const FILLED_IN = /^new\/\?/; // a form with names, from a site's link
const CREEP = 0.005;
const TURN = 200;
const form = choose();
const state = form.querySelector("[data-state]");
const bar = form.querySelector("progress");
const say = (name) => {
  state.textContent = state.dataset[name];
  bar.hidden = name !== "opening";
};

// Show the form in the user's language.
function choose() {
  const forms = [...document.querySelectorAll("form")];
  const wanted = navigator.languages.map((language) => language.toLowerCase());
  const fits = (language) =>
    forms.find(({ lang }) => lang === language) ?? forms.find(({ lang }) => lang === language.split("-")[0]);
  const chosen = [...wanted, "en"].map(fits).find(Boolean);
  for (const other of forms) other.hidden = other !== chosen;
  document.documentElement.lang = chosen.lang;
  return chosen;
}

// Explain how to add this page to the home screen. An iPhone needs it done by hand, and gives the app its own
// storage, so this comes before the first name. Elsewhere there is a button.
function offerHomeScreen() {
  const button = form.querySelector("[data-install]");
  form.querySelector("[data-iphone]").hidden = !("standalone" in navigator) || Boolean(navigator.standalone);
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    button.hidden = false;
    button.onclick = () => event.prompt();
  });
  addEventListener("appinstalled", () => {
    button.hidden = true;
  });
}

// Move the bar: first by the downloaded share of all files, then by the engine's progress.
function showProgress() {
  let before = 0;
  navigator.serviceWorker.addEventListener("message", ({ data: { got } }) => {
    if (got) before = bar.value = Math.min(got, 1) * DOWNLOAD;
  });
  addEventListener("engine:step", ({ detail: share }) => {
    bar.value = before + share * (1 - before);
  });
  const creep = setInterval(() => {
    bar.value = Math.min(bar.value + CREEP, 1 - CREEP); // between two steps too
    if (!bar.isConnected) clearInterval(creep);
  }, TURN);
}

// Wait until the service worker has all files and controls this page.
async function controlled() {
  const { serviceWorker } = navigator;
  const address = at("sw.js");
  const isOurs = () => serviceWorker.controller?.scriptURL === address;
  if (isOurs()) return;
  const registration = await serviceWorker.register(address);
  const { installing, active } = registration;
  await new Promise((resolve, reject) => {
    const look = () => isOurs() && resolve(true);
    serviceWorker.addEventListener("controllerchange", look);
    active?.postMessage("claim"); // this page was loaded without it
    installing?.addEventListener("statechange", () => {
      if (installing.state === "redundant") reject(new Error("not all files came"));
    });
    look();
  });
}

const headers = { accept: "text/html", "accept-language": navigator.languages.join(",") };

// The page of a new table with these names in its seats.
function seated(names) {
  const seats = names.map((name, number) => [`new-${number + 1}`, name]);
  return { address: at(`new/?${new URLSearchParams([["shown", ""], ...seats])}`), headers };
}

async function follow(question) {
  const answer = await ask(question);
  const [, elsewhere] = answer.headers?.find(([name]) => name === "Location") ?? [];
  if (!elsewhere) return { ...answer, question };
  return follow({ address: new URL(elsewhere, location.origin).href, headers });
}

function show({ content, question: { address } }) {
  const html = typeof content === "string" ? content : new TextDecoder().decode(content);
  history.replaceState(null, "", address);
  document.open();
  document.write(html);
  document.close();
  serve();
}

// If this release cannot open the tables, they are unchanged: offer them as they are.
async function offerOld() {
  const kept = await read();
  say(kept ? "broken" : "failed");
  if (!kept) return;
  const link = form.querySelector("[data-old-book]");
  link.href = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (kept.bytes)]));
  link.hidden = false;
}

// Another window leads: let it answer. If it does not, for example because the phone suspended it, a tap
// takes the lead from it. Resolves to whether this window leads then.
async function openElsewhere(start, wanted) {
  const { status } = await fetch(wanted, { headers });
  if (status < 500) {
    location.replace(wanted);
    return false;
  }
  say("elsewhere");
  const button = form.querySelector("[data-take]");
  button.hidden = false;
  await new Promise((resolve) => {
    button.onclick = resolve;
  });
  button.hidden = true;
  say("opening");
  return takeLead(start);
}

// The first names, once they are typed. If the form was sent before this script was loaded, they are in the
// URL.
function namesWritten() {
  const typed = new URLSearchParams(location.search).get("people");
  return new Promise((resolve) => {
    if (typed !== null) resolve(typed);
    form.onsubmit = (event) => {
      event.preventDefault();
      const button = form.querySelector(".go");
      button.disabled = true;
      button.firstElementChild.textContent = state.dataset.opening;
      resolve(form.querySelector("textarea").value);
    };
  });
}

async function run() {
  const written = namesWritten();
  offerHomeScreen();
  if (!self.isSecureContext) return say("plain");
  // Safari has these streams since 16.4, like the engine's syntax.
  const isAble = navigator.serviceWorker && navigator.locks && "DecompressionStream" in self;
  if (!isAble) return say("old");
  const wanted = behind(location.hash);
  const isNew = !(await read()) && !FILLED_IN.test(wanted);
  for (const part of form.querySelectorAll("[data-names], [data-hello]")) part.hidden = !isNew;
  addEventListener("hashchange", () => location.reload()); // another link was opened over this page
  showProgress();
  await controlled();
  navigator.storage?.persist?.(); // not awaited: Firefox answers only once the user has
  const start = at(document.documentElement.dataset.start);
  if (!(await lead(start)) && !(await openElsewhere(start, at(wanted)))) return;
  const first = await follow({ address: at(wanted), headers });
  if (first.trouble) return offerOld();
  if (!isNew) return show(first);
  state.hidden = bar.hidden = true;
  const names = (await written)
    .split(/[\n,;]/)
    .map((name) => name.trim())
    .filter(Boolean);
  show(names.length ? await follow(seated(names)) : first);
}

run().catch(() => say("failed"));
