// What waits on this phone, on the pages of its game: what was saved, the provisional totals, the questions
// to the bust, and what the server refused. Sums come from arithmetic.js; whatever only the server can count
// stays open.

import { answered, dealer, feeOf, pending, played, playing, roundPoints } from "../play/arithmetic.js";
import { flush } from "./offline.js";
import { fill, grouped, minus, piece } from "../base/pieces.js";
import { drawSheet } from "./provisional.js";

const { queue } = self;
const DOWN = [502, 503, 504]; // as good as no network
const ahead = new Map(); // where there is no service worker to keep them: pages fetched before the network went
const GRACE = 5000; // as long as what was dropped can come back before those behind it go on
let isLed = false; // whether a tap on another page was for the next round, and not for what waits
let edited = null; // what is on its way to the page that corrects it

const main = () => document.getElementById("main");
const pad = () => document.getElementById("entry");
export const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))));
const nameOf = (here, id) => here.names[id] ?? id;

function money(here, amount) {
  const { unit, decimals } = here.dataset;
  const figure = grouped(Math.abs(amount) / 10 ** decimals, Number(decimals));
  return minus(/^\p{L}+$/u.test(unit) ? `${figure}\u00a0${unit}` : `${unit}\u00a0${figure}`);
}

// --- pages fetched ahead -----------------------------------------------------------------------------------

export function hold(address, html) {
  ahead.set(address, { html, at: new Date().toISOString(), person: main().dataset.person });
}

function openAhead(event) {
  const { path, verb } = event.detail.requestConfig;
  const { pathname, searchParams } = new URL(path, location);
  const found = ahead.get(pathname);
  if (verb !== "get" || found?.person !== main().dataset.person) return;
  const closer = /^\w+$/.exec(searchParams.get("closer") ?? "");
  const html = found.html.replace(
    "<main ",
    `<main data-seen="${found.at}" ${closer ? `data-closer="${closer[0]}" ` : ""}`,
  );
  event.stopPropagation();
  history.pushState({ htmx: true }, "", pathname);
  window.htmx.swap("#main", html, { swapStyle: "outerHTML" }, { select: "#main" });
}

document.addEventListener("htmx:sendError", openAhead, true);
document.addEventListener(
  "htmx:responseError",
  (event) => {
    if (DOWN.includes(event.detail.xhr.status)) openAhead(event);
  },
  true,
);

// --- the game as this phone sees it ------------------------------------------------------------------------

// The numbers once the entries are recorded; `waits` are those that count in them.
export async function foreseen(here, entries) {
  const known = await queue.numbers(here.dataset.game).catch(() => null);
  const printed = JSON.parse(here.dataset.numbers);
  let numbers = known?.after >= printed.after ? known : printed;
  for (const entry of entries.filter(({ stopped }) => !stopped)) {
    const { after, round, answer } = entry;
    if (after !== numbers.after) continue;
    const waits = [
      ...(numbers.waits ?? []),
      { entry, number: numbers.round, points: round && roundPoints(numbers, round) },
    ];
    numbers = { ...(round ? played(numbers, round) : answered(numbers, ...answer)), waits };
  }
  return numbers;
}

// How it goes on: whom to ask, whether the next round can be entered, or what there is to look at first.
function outlook(numbers, entries) {
  const isStopped = entries.some((entry) => entry.stopped);
  const isOpen = !numbers.unsure && !numbers.over;
  const asked = isOpen && !isStopped ? pending(numbers)[0] : undefined;
  return { isStopped, isOpen, asked, isFree: isOpen && !isStopped && !asked };
}

// Shows what waits for this game, or hides the place again. `keep` puts an answer with what waits.
export async function present(here, entries, keep) {
  here.names ||= JSON.parse(here.dataset.names);
  const numbers = await foreseen(here, entries);
  if (!here.isConnected) return;
  const one = (part) => here.querySelector(`[data-${part}]`);
  const view = { here, one, entries, numbers, keep, ...outlook(numbers, entries) };
  const isShown = Boolean(entries.length || here.dropped);
  const wasShown = here.isAwake && !here.hidden;
  const isWanted = isLed && view.isFree && pad();
  here.isAwake ||= isShown;
  if (pad()) isLed = false;
  listEntries(view);
  if (one("bar")) drawBar(view, isShown);
  else if (here.isPad) renewTotals(view);
  else if (isWanted) openPad(view);
  else if (isShown) drawPanel(view);
  else if (wasShown)
    one("sheet").click(); // everything is recorded: on to the sheet
  else if (pad() && main().dataset.seen !== undefined) openPad(view);
}

// --- what waits --------------------------------------------------------------------------------------------

function listEntries({ here, one, entries, isStopped }) {
  const { dataset } = here;
  const count = entries.length;
  one("count").textContent = isStopped
    ? dataset.refused
    : count === 1
      ? dataset.one
      : count
        ? fill(dataset.many, { count })
        : "";
  fillList(here, one("items"), entries, choicesFor);
}

// On the first page of the app, which needs no grant: what waits of every game, to be dropped where nobody
// can open it.
export function presentAll(here, entries) {
  fillList(here, here.querySelector("ul"), entries, (place, entry) => [dropChoice(place, entry)]);
  here.hidden = !entries.length && !here.dropped;
}

function fillList(here, list, entries, choices) {
  const { dataset } = here;
  const rows = entries.map((entry) => {
    const about = piece("span", "grow", piece("b", "", entry.title), piece("span", "sub", entry.detail));
    for (const sentence of sentencesOf(entry)) about.append(piece("span", "wrong", sentence));
    return piece(
      "li",
      "",
      about,
      ...againChoice(here, entry),
      ...(entry.stopped || entry.fact ? choices(here, entry) : []),
    );
  });
  if (here.dropped) {
    const about = piece(
      "span",
      "grow",
      piece("b", "", here.dropped.title),
      piece("span", "sub", dataset.dropped),
    );
    rows.push(
      piece(
        "li",
        "",
        about,
        choice(dataset.undo, () => {
          const { stopped, ...entry } = here.dropped;
          here.dropped = null;
          queue.add(entry);
        }),
      ),
    );
  }
  list.replaceChildren(...rows);
  list.hidden = !rows.length;
  window.htmx.process(list);
}

// Why it was refused. A server that broke down may not have found words for it.
const sentencesOf = ({ refused = [], broken }) =>
  broken && !refused.length ? [document.getElementById("trouble").dataset.broken] : refused;

function choice(label, act) {
  const button = piece("button", "btn text", label);
  button.onclick = act;
  return button;
}

function dropChoice(here, entry) {
  return choice(here.dataset.drop, async () => {
    localStorage.removeItem(`draft:${entry.game}:${entry.after + 1}`); // begun on top of it
    const seen = entry.recorded ?? entry.seen ?? entry.held;
    if (await queue.drop(entry, null, { seen, now: seen })) here.dropped = entry; // read once what waits was looked up
    setTimeout(async () => {
      if (await queue.release()) here.dropped = null;
    }, GRACE);
  });
}

// What was refused for nothing in the game, a fact or what broke something on the server, can be sent once
// more as it is.
const againChoice = (here, entry) =>
  entry.refused && (entry.fact || entry.broken)
    ? [choice(here.dataset.again, () => queue.again(entry).then(flush))]
    : [];

// A refused entry, or one behind it, is looked at: opened on the pad against the game as it is, or dropped.
// One that is recorded already with other hands, its answer got lost, is opened where the round is corrected.
function choicesFor(here, entry) {
  const drop = dropChoice(here, entry);
  if (!entry.round) return [drop];
  if (entry.recorded) return [correction(here, entry), drop];
  return pad() ? [choice(here.dataset.open, () => openOnPad(here, entry)), drop] : [drop];
}

async function openOnPad(here, entry) {
  const numbers = await queue.numbers(entry.game);
  if (numbers.over || pending(numbers).length) return location.assign(here.dataset.sheet); // there is no next round now
  if (entry.held) await stay(entry);
  await begin(here, numbers);
  pad().opened = entry;
  return load(entry.round);
}

// What would go on by itself in a moment stays while it is being looked at.
function stay({ stopped, ...entry }) {
  return queue.add({ ...entry, seen: entry.seen ?? entry.held, held: true });
}

function correction(here, entry) {
  const link = piece("a", "btn text", here.dataset.open);
  link.href = `/g/${entry.game}/correct/${entry.recorded}/`;
  link.onclick = () => {
    edited = { round: entry.round, address: link.pathname };
  };
  return link;
}

document.addEventListener("htmx:load", async () => {
  if (!edited || pad()?.getAttribute("action") !== edited.address) return;
  const { round } = edited;
  edited = null;
  await ready(pad());
  pad().dispatchEvent(new CustomEvent("pad:edit", { detail: round }));
});

// The sheet's bar, and its dock: that leads on to where the phone is, not to where the server was.
function drawBar({ here, one, entries, numbers, asked, isFree }, isShown) {
  one("bar").hidden = !isShown;
  here.hidden = !isShown && one("plain").hidden;
  one("provisional").hidden = !numbers.waits;
  if (numbers.waits) one("count").textContent = fill(here.dataset.unsent, { count: entries.length });
  drawSheet(here, numbers, {
    stateOf: (seat) => stateOf(here, numbers, seat),
    pot: numbers.pot === null ? "" : money(here, numbers.pot),
  });
  const dock = document.querySelector("main > .dock");
  const go = dock?.querySelector("a.go");
  if (!go || !(isShown || go.printed)) return;
  const ready = new Set(isFree ? playing(numbers).map((seat) => seat.id) : []);
  go.printed ||= go.firstElementChild.textContent;
  go.onclick = () => {
    isLed = isShown && isFree;
  };
  go.firstElementChild.textContent = !isShown
    ? go.printed
    : isFree
      ? fill(here.dataset.record, { number: numbers.round })
      : asked
        ? fill(here.dataset.question, { name: nameOf(here, asked.id) })
        : here.dataset.here;
  dock.querySelector(".closers")?.toggleAttribute("hidden", !isFree);
  for (const face of dock.querySelectorAll("[data-closer]")) {
    face.onclick = go.onclick;
    face.hidden = !ready.has(face.dataset.closer);
  }
}

// --- the panel ---------------------------------------------------------------------------------------------

// Either what waits is shown, or the page itself.
function turn(here, isShown) {
  const heading = document.querySelector("h1").firstChild;
  const isNew = isShown && here.hidden;
  if (isNew) here.heading = heading.data;
  here.hidden = here.isPad = !isShown;
  for (const box of here.parentElement.children)
    if (box !== here && !box.matches(".bar")) box.hidden = isShown;
  document.getElementById("step")?.toggleAttribute("hidden", isShown);
  heading.data = isShown ? here.dataset.here : (here.heading ?? heading.data);
  if (!isNew) return;
  here.querySelector(".body").scrollTop = 0;
  document.querySelector("h1").focus({ preventScroll: true });
}

function drawPanel(view) {
  const { here, one, entries, numbers, isStopped, isOpen, asked } = view;
  const last = entries.at(-1);
  const deals = isOpen && dealer(numbers);
  one("standing").replaceChildren(
    ...numbers.seats.filter((seat) => seat.seat !== "left").map((seat) => seatBox(view, seat)),
  );
  say(one("pot"), numbers.pot === null ? "" : money(here, numbers.pot));
  say(one("deals"), deals ? nameOf(here, deals) : "");
  one("provisional").hidden = isStopped || !last;
  one("end").textContent = numbers.unsure ? here.dataset.unsure : ending(view);
  one("end").hidden = isOpen;
  one("ask").hidden = !asked;
  if (asked) ask(view);
  one("items").hidden ||= Boolean(asked);
  one("deals").closest(".strip").hidden = Boolean(asked); // the question says what lies in the pot
  drawDock(view, last);
  turn(here, true);
}

// Take back or the sheet; then the next round here, on its own page, or past what was refused.
function drawDock({ here, one, entries, numbers, isStopped, isOpen, asked }, last) {
  const leads = isOpen && !asked;
  const isHere = pad() || isStopped;
  const stopped = entries.filter((entry) => entry.stopped && entry.round);
  const label = isStopped ? here.dataset.goon : fill(here.dataset.record, { number: numbers.round });
  one("back").hidden = !last || last.stopped || Boolean(last.round && !pad());
  one("back").onclick = () => takeBack(here, entries, last);
  one("sheet").hidden = !one("back").hidden;
  one("next").hidden = !leads || !isHere || Boolean(pad() && isStopped && !stopped.length);
  one("next").onclick = () => {
    if (pad() && isStopped)
      return one("items")
        .querySelector(`:scope > :nth-child(${entries.indexOf(stopped[0]) + 1}) > .btn`)
        .click();
    for (const form of main().querySelectorAll("form")) form.isPast = isStopped; // the question comes before what was refused
    if (pad() && !pending(numbers).length) return begin(here, numbers);
    return turn(here, false);
  };
  one("on").hidden = !leads || Boolean(isHere);
  one("on").onclick = () => {
    isLed = true;
  };
  for (const button of [one("next"), one("on")]) button.firstChild.textContent = label;
}

function say(element, text) {
  element.textContent = text;
  element.parentElement.hidden = !text;
}

function seatBox({ here, numbers, asked }, seat) {
  const name = nameOf(here, seat.id);
  const total = piece("b", seat.seat === "out" ? "soft" : "", seat.total === null ? "?" : minus(seat.total));
  const box = piece(
    "div",
    "seat",
    piece("span", "name", name),
    total,
    piece("span", "state", stateOf(here, numbers, seat)),
  );
  box.title = name;
  if (seat.seat === "pending") box.dataset.tone = "red";
  if (seat === asked) box.ariaCurrent = "true";
  return box;
}

function stateOf({ dataset }, numbers, seat) {
  if (seat.total === null) return dataset.later;
  if (seat.seat === "out") return dataset.out;
  return seat.seat === "pending" ? dataset.bust : marginOf(dataset, numbers, seat.total);
}

function marginOf(words, { ending: kind, limit, target }, total) {
  if (kind === "contracts") return "";
  const margin = limit === null ? Math.max(target - total, 0) : limit - 1 - total;
  const word = limit === null ? "togo" : "left";
  return margin === 1 ? words[`${word}One`] : fill(words[word], { points: minus(grouped(margin)) });
}

function ending({ here, numbers }) {
  if (!numbers.winners?.length) return here.dataset.over;
  return fill(here.dataset.won, { names: numbers.winners.map((id) => nameOf(here, id)).join(", ") });
}

function ask({ here, one, numbers, keep, asked: { id, back } }) {
  const { dataset } = here;
  const fee = feeOf(numbers, id);
  const price = numbers.pot === null ? "" : money(here, fee ?? 0);
  const yes = one("ask").querySelector("[value=reenter]");
  one("question").textContent = fill(dataset.question, { name: nameOf(here, id) });
  one("comes").textContent = back === null ? dataset.later : minus(back);
  one("margin").textContent = back === null ? dataset.later : marginOf(dataset, numbers, back);
  say(one("pots"), price && `${money(here, numbers.pot)} → ${money(here, numbers.pot + fee)}`);
  yes.querySelector("small").textContent = price;
  yes.disabled = fee === null;
  for (const button of one("ask").querySelectorAll("button")) {
    button.onclick = () =>
      keep(null, [
        ["player", id],
        ["answer", button.value],
        ["after", numbers.after],
        ["key", newKey()],
      ]);
  }
}

// --- the pad -----------------------------------------------------------------------------------------------

// Its script may still be on its way.
const ready = (form) =>
  new Promise((resolve) => {
    if ("ready" in form.dataset) resolve();
    else new MutationObserver(resolve).observe(form, { attributeFilter: ["data-ready"] });
  });

const load = (detail) => pad().dispatchEvent(new CustomEvent("pad:load", { detail }));

// The pad as an empty entry of the next round.
async function begin(here, numbers, key = newKey(), heading = headingOf(here, numbers)) {
  const form = pad();
  await ready(form);
  turn(here, false);
  form.opened = here.dropped = null;
  here.given = JSON.stringify(numbers.seats);
  const detail = {
    numbers,
    after: numbers.after,
    key,
    heading,
    draft: `${here.dataset.game}:${numbers.after}`,
  };
  form.dispatchEvent(new CustomEvent("pad:renew", { detail }));
  document.querySelector("h1").focus({ preventScroll: true });
}

function headingOf(here, { round, contracts }) {
  const heading = fill(here.dataset.heading, { number: round });
  return contracts?.[0]?.[0] ? `${heading} · ${contracts[0][0]}` : heading;
}

// A page of a while ago, or one somebody came to for the next round: the pad goes on with the newest numbers
// this phone knows, and with the face that was tapped.
async function openPad({ here, numbers }) {
  const form = pad();
  const { closer } = main().dataset;
  delete main().dataset.closer;
  here.isPad = true;
  if (Number(form.elements.after.value) < numbers.after) await begin(here, numbers);
  else await ready(form);
  if (closer) load({ closer, closing: "", hands: {} });
}

// What waited is recorded while the next round is being entered: totals that were open are known now.
function renewTotals({ here, numbers, entries }) {
  const form = pad();
  const isSame = !here.given || here.given === JSON.stringify(numbers.seats);
  if (isSame || entries.length || !form || form.opened || Number(form.elements.after.value) !== numbers.after)
    return;
  begin(here, numbers, form.elements.key.value);
}

// The last entry that waits comes off again; a round stands on the pad as it was, under the same key, since
// the server may have it already.
async function takeBack(here, entries, last) {
  if (last.round) {
    await begin(here, await foreseen(here, entries.slice(0, -1)), last.key, last.title);
    load(last.round);
  }
  await queue.drop(last);
}
