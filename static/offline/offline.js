// Dead spots: the service worker where there can be one, saves that wait on this phone and go out by
// themselves, pages to be opened without a network, and nothing of a person left behind for the next. What
// waits is shown by waiting.js.

import "./queue.js";

const { queue } = self;
const WAITS = [3000, 5000, 10000, 30000];
export const OURS = /^(draft|ticks):/; // what is kept of a person's games, beside what waits
const REST = 500; // what the page itself asks for goes first
const LOST = [408, 429, 502, 503, 504];
export const FAILURES = ["htmx:sendError", "htmx:timeout", "htmx:responseError"];
const worker = navigator.serviceWorker?.register("/sw.js").catch(() => null); // over plain http there is none
let tries = 0;
let timer = 0;
let isAble = false; // whether anything can be kept here at all
let isQueueing = false;
let shown = Promise.resolve();
let isHomeOf = ""; // the game the first page of the app was fetched with, where there is no worker to keep it

const main = () => document.getElementById("main");
export const words = () => document.getElementById("unsent").dataset;
// A page of a while ago does not say who looks at it now, and the page for dead spots is nobody's.
export const person = () =>
  (main().dataset.seen === undefined ? main().dataset.person : null) ??
  stored("person") ??
  main().dataset.person;
const clock = (date) =>
  new Date(date).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short", hourCycle: "h23" });

// Where a page of a game shows what waits, if it is one that could.
function place() {
  const found = document.getElementById("waiting");
  const parts = found?.querySelector("template")?.content.children;
  if (parts?.length) {
    found.append(...parts);
    window.htmx.process(found);
  }
  return found;
}

export function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A private window remembers nothing.
  }
  return null;
}

// --- a page arrives ----------------------------------------------------------------------------------------

// A whole page, once, or a part of it that came anew while somebody watched.
function notice(target) {
  const isWhole = target.contains(main());
  if (isWhole && main().isNoticed) return;
  main().isNoticed ||= isWhole;
  if (!isWhole) reach(); // which only comes from the server
  if (isWhole || target.querySelector("#waiting")) arrive(isWhole);
}

async function arrive(isWhole) {
  const { seen } = main().dataset;
  if (!isWhole) {
    delete main().dataset.seen;
  } else if (seen !== undefined) {
    const note = document.createElement("small");
    note.className = "seen";
    note.textContent = words().seen.replace("{time}", clock(seen));
    main().querySelector("h1").append(note);
  }
  if (seen === undefined) await keepApart();
  takeBack();
  fetchHome();
  listGames();
  if (isWhole) queue.release().catch(() => {}); // what somebody dropped has not come back
  const entries = await queue.all().catch(() => null);
  isAble = Boolean(entries);
  if (!isAble) return null;
  isQueueing = Boolean(ofHere(entries).length);
  const here = place();
  flush();
  if (!here) return show();
  intercept(document.getElementById("entry") || main().querySelector("form:has([name=answer])"));
  const plain = here.querySelector("[data-plain]");
  if (plain) plain.hidden = here.hidden = Boolean(navigator.serviceWorker || stored("told"));
  await queue.know(here.dataset.game, JSON.parse(here.dataset.numbers));
  if (main().dataset.seen === undefined) fetchAhead(here.dataset);
  return show();
}

// What this phone keeps for one person is nothing to the next.
async function keepApart() {
  if (person() === stored("person")) return;
  await import("./kept.js").then(({ letGo }) => letGo(person())).catch(forgetPages);
  if (stored("person")) await forgetGames(); // else it is a guest's first page: there are no games yet but his
  stored("person", person());
}

const forgetPages = () => self.caches?.delete("pages").catch(() => {});

export async function forget() {
  await forgetPages();
  await forgetGames();
}

async function forgetGames() {
  await queue.forget().catch(() => {});
  try {
    for (const key of Object.keys(localStorage)) if (OURS.test(key)) localStorage.removeItem(key);
  } catch {
    // Nothing is stored, so nothing stays.
  }
}

function takeBack() {
  const aside = `aside:${person()}`;
  for (const [key, text] of JSON.parse(stored(aside)) ?? []) stored(key, text);
  stored(aside, null);
}

// What its person entered in the game of this page and is not recorded.
function ofHere(entries) {
  const game = place()?.dataset.game;
  return entries.filter((entry) => entry.person === person() && entry.game === game);
}

function show() {
  shown = shown.finally(showWhatWaits);
  return shown;
}

async function showWhatWaits() {
  const entries = await queue.all();
  const mine = entries.filter((entry) => entry.person === person());
  const here = place();
  const ours = ofHere(entries);
  isQueueing = Boolean(ours.length);
  const unsent = document.getElementById("unsent");
  const list = document.getElementById("kept");
  const first = ours[0] || mine.find(({ fact }) => !fact);
  const isHeld = here?.isPad && ours.some((entry) => entry.stopped);
  const bar = here?.querySelector("[data-bar]");
  const count = !here ? mine.length : bar ? mine.filter(({ fact }) => fact).length : 0; // its rounds stand on the page
  const isOpen = (entry) => here || !location.pathname.startsWith(`/g/${entry.game}/`); // else one only watches it now
  unsent.hidden = Boolean(list) || !(isHeld || count);
  unsent.href = first && (isHeld || !here) && isOpen(first) ? `/g/${first.game}/` : "/";
  unsent.textContent = isHeld
    ? here.dataset.refused
    : count === 1
      ? words().one
      : words().many.replace("{count}", count);
  offerToDrop(unsent, mine);
  if (list && (mine.length || !list.hidden))
    await import(list.dataset.script).then(
      ({ presentAll }) => presentAll(list, mine),
      () => {},
    );
  if (!here || !(ours.length || here.isAwake || main().dataset.seen !== undefined)) return;
  const waiting = await import(here.dataset.script).catch(() => null);
  if (waiting) await waiting.present(here, ours, tryToKeep);
  else unsent.hidden = !mine.length; // the network went before that script came: what was saved is kept all the same
}

// A game this person may not see any more takes nothing, and has no page to drop what waits for it.
function offerToDrop(unsent, mine) {
  const lost = main().matches(".gone")
    ? mine.filter(({ game }) => location.pathname.startsWith(`/g/${game}/`))
    : [];
  if (lost.length) unsent.textContent = words().gone;
  unsent.onclick = (event) => {
    if (lost.length) event.preventDefault();
    for (const entry of lost) queue.drop(entry);
  };
}

// The pages needed next are fetched while there is a network, the entry above all: for the service worker to
// keep, or where there is none, for waiting.js.
async function fetchAhead({ game, script, ahead = "" }) {
  await new Promise((resolve) => {
    setTimeout(resolve, REST);
  });
  const isKept = await worker;
  if (isKept && !navigator.serviceWorker.controller) return; // it comes to rule this page in a moment
  const waiting = isKept ? null : await import(script).catch(() => null);
  const home = isKept || isHomeOf === game ? [] : ["/"];
  isHomeOf = game;
  for (const address of [...ahead.split(" ").filter(Boolean), ...home]) {
    const answer = await fetch(address).catch(() => null);
    if (!answer) return;
    if (answer.ok && !answer.redirected) waiting?.hold(address, await answer.text());
  }
}

// The first page of the app is kept too.
function fetchHome() {
  if (main().dataset.seen !== undefined || !navigator.serviceWorker?.controller) return;
  import("./kept.js").then((kept) => kept.fetchHome(person())).catch(() => {});
}

// Without a network: the games whose pages are on this phone.
function listGames() {
  const list = document.getElementById("onphone");
  const isCut = main().dataset.seen !== undefined || main().dataset.person === undefined;
  if (list && isCut && self.caches)
    import(list.dataset.script).then(
      ({ present }) => present(list, person()),
      () => {},
    );
}

// --- a save ------------------------------------------------------------------------------------------------

// Behind what waits already, from a page of a while ago, or known to be without a network: it joins the
// queue. Else it is tried, and joins if it gets lost.
function intercept(form) {
  if (!form || form.isHeard) return;
  form.isHeard = true;
  for (const name of FAILURES) {
    form.addEventListener(name, (event) => {
      const refused = refusalOf(event);
      if (!isAble || event.target !== form || !refused) return;
      event.stopPropagation();
      tryToKeep(form, event.detail.requestConfig.formData, refused);
    });
  }
  form.addEventListener("htmx:beforeOnLoad", ({ target, detail }) => {
    if (target === form && form.opened) hear(form, detail);
  });
}

// The answer to an entry that was refused before, as it was saved now: recorded, or refused anew for what is
// wrong with it.
function hear(form, { xhr, requestConfig }) {
  const after = Number(requestConfig.formData.get("after"));
  if (xhr.status < 300)
    return queue.drop(form.opened, null, { seen: after, now: after + 1 }).then(queue.release);
  if (LOST.includes(xhr.status) || xhr.status >= 500) return null;
  const page = new DOMParser().parseFromString(xhr.response, "text/html");
  const said = [...page.querySelectorAll(".errors li, main .notice[role=status] li, #hands .wrong")].map(
    (part) => part.textContent,
  );
  const refused = said.length ? said : [page.querySelector("h1")?.textContent.trim()];
  const seen = Number(page.querySelector("[name=after]")?.value) || undefined;
  return queue.drop(form.opened, { ...entryOf(place(), form, requestConfig.formData), refused, seen });
}

// How what could not be sent waits: to be sent again, or, where it broke something, to be looked at first.
// Null where the page says itself what is wrong.
export function refusalOf({
  detail: {
    xhr: { status },
  },
}) {
  if (!status || LOST.includes(status)) return {};
  return status < 500 ? null : { refused: [document.getElementById("trouble").dataset.broken], broken: true };
}

// Nothing is recorded past what waits, or past what was refused before somebody looked at it.
async function save(event) {
  const { target: form, submitter } = event;
  const isBehind = isQueueing && !form.opened && !form.isPast;
  const isApart = !navigator.onLine || main().dataset.seen !== undefined;
  if (!isAble || form.isUnkept || !(isBehind || isApart)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  try {
    await keep(form, new FormData(form, submitter));
  } catch {
    // There is no room on this phone, so that it can only go out at once, unless something has to go before
    // it.
    await new Promise((resolve) => {
      setTimeout(resolve);
    }); // until this event is over, there is no other
    say(words().unkept);
    form.dispatchEvent(new CustomEvent("pad:free"));
    form.isUnkept = !isBehind;
    if (form.isUnkept) form.requestSubmit(submitter);
    form.isUnkept = false;
  }
}

function say(text) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = text;
  trouble.hidden = false;
}

// A round that was recorded already with other hands has been corrected.
function hearCorrection({
  detail: {
    elt,
    xhr,
    requestConfig: { verb, path, formData },
  },
}) {
  const [, game] = /^\/g\/([\w-]+)\/changes\/$/.exec(path) ?? [];
  if (verb !== "post" || !game || xhr.status >= 300 || xhr.responseURL.endsWith(path)) return;
  const [, number] = /^correct (\d+) /.exec(formData.get("change")) ?? [];
  const seen = Number(formData.get("after"));
  const now = seen + Number(elt.dataset.count);
  queue
    .all()
    .then(async (entries) => {
      for (const entry of entries)
        if (entry.game === game && entry.recorded === Number(number))
          await queue.drop(entry, null, { seen, now });
      await queue.release();
    })
    .catch(() => {});
}

// What was posted from a form of this page, or answered here, as it waits: its fields, and in words.
function entryOf(here, form, posted) {
  const { game, address, names, reenters, stays } = here.dataset;
  const { after, key, csrfmiddlewaretoken, ...fields } = Object.fromEntries(posted);
  const { closer, closing, player, answer } = fields;
  const entry = { game, address, after: Number(after), key, fields, person: person() };
  const name = (id) => JSON.parse(names)[id] ?? id;
  if (answer)
    return {
      ...entry,
      answer: [player, answer],
      title: name(player),
      detail: answer === "reenter" ? reenters : stays,
    };
  const hands = Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => field.startsWith("hand-"))
      .map(([field, text]) => [field.slice(5), text]),
  );
  const how = form.querySelector(`[data-closing="${closing}"]`)?.dataset.short;
  const said = Object.entries(hands)
    .filter(([, text]) => text)
    .map(([id, text]) => `${name(id)} ${text.replace("-", "−")}`);
  return {
    ...entry,
    round: { closer, closing, hands },
    title: document.querySelector("h1").firstChild.data.trim(),
    detail: [closer === "nobody" ? how : `${name(closer)} ${how}`, ...said].join(" · "),
  };
}

const tryToKeep = (form, posted, refused) => keep(form, posted, refused).catch(() => say(words().unkept));

// Puts it with what waits.
async function keep(form, posted, refused) {
  const here = place();
  const entry = { ...entryOf(here, form, posted), ...refused };
  const wasPad = here.isPad;
  here.isPad = false;
  try {
    await (form?.opened
      ? queue.drop(form.opened, entry, { seen: entry.after, now: entry.after + 1 })
      : queue.add(entry));
    if (form?.opened) queue.release().catch(() => {});
  } catch (trouble) {
    here.isPad = wasPad;
    throw trouble;
  }
  if (form?.dataset.pad !== undefined) stored(`draft:${entry.game}:${entry.after}`, null);
  sendSoon();
}

export const isMine = (entry) => entry.person === person();

// A fact waits too, and for nothing else: it needs no place among the rounds of a game.
export async function wait(fact) {
  await queue.add({ ...fact, person: person() });
  sendSoon();
}

function sendSoon() {
  tries = 0;
  soon();
  navigator.serviceWorker
    ?.getRegistration()
    .then((found) => found?.sync?.register("queue"))
    .catch(() => {});
}

// --- sending -----------------------------------------------------------------------------------------------

function soon() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(flush, WAITS[Math.min(tries, WAITS.length - 1)]);
  tries += 1;
}

export async function flush() {
  if (isAble && (await queue.send().catch(() => 1))) soon();
}

// The server was reached: that there is no connection is no news any more.
function reach() {
  main().querySelector(".seen")?.remove();
}

// Somebody looks again, or the network may be back: a page of a while ago is asked for anew, unless it is
// being filled in.
function wake() {
  tries = 0;
  if (document.hidden) return;
  flush();
  if (main().dataset.seen !== undefined && !document.getElementById("entry")) {
    window.htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" });
  }
}

// --- signing in and out ------------------------------------------------------------------------------------

// A form that leaves this page goes out once the site is known to be there: else the browser would take the
// page away, and what this phone keeps would be gone.
function goOut(event) {
  const { target: form, submitter } = event;
  if (!form.matches("[method=post][hx-boost=false]")) return;
  event.preventDefault();
  const lost = () => say(document.getElementById("trouble").dataset.record);
  import(words().leaving).then((leaving) => leaving.goOut(form, submitter, lost), lost);
}

document.addEventListener("submit", goOut);
document.addEventListener(
  "submit",
  ({ target }) => {
    if (!target.isHeard) return;
    target.removeEventListener("submit", save, true);
    target.addEventListener("submit", save, true); // last of those who listen: the pad checks first whether the round is whole
  },
  true,
);
document.addEventListener("htmx:load", ({ target }) => notice(target));
document.addEventListener("click", ({ target }) => {
  const told = target.closest("[data-told]");
  if (told) {
    stored("told", "yes");
    told.closest("[data-plain]").hidden = true;
  }
});
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
document.addEventListener("live:current", () => {
  reach();
  delete main().dataset.seen;
});
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) wake();
});
navigator.serviceWorker?.addEventListener("controllerchange", () => {
  fetchHome();
  if (place()) fetchAhead(place().dataset);
});
document.addEventListener("htmx:beforeOnLoad", hearCorrection);
document.addEventListener("htmx:afterRequest", ({ detail: { xhr, requestConfig } }) => {
  if (requestConfig.verb !== "get" && xhr.status) reach(); // a page may come from this phone
});
queue.heard((news) => {
  if (news.reached) return reach();
  if (news.released) flush();
  return show();
});
notice(document.body);
