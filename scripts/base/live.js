// Polls like htmx, but with a ticket, so that few polls read the session (games/common/poll_tickets.py).
//
// Keeps a sheet, a board or a question up to date: polls every two seconds with the version shown, less often
// while the page is hidden. A response without news is empty, and the page does not change. An overloaded
// server says when to poll again.

import { isOurs } from "./page.js";
import { say, sayNews } from "./voice.js";

const OFTEN = 2000;
const SELDOM = 30000;
const PATIENCE = 10000;
const LOST_AFTER = 3;
const PARTS = ["stakes", "body", "waits", "undo", "coming-back", "dock", "tabs"]; // in page order
const SCORES = ".score, .spots";
// While one of these matches, the user's own entry is being sent.
const BUSY = "#main.htmx-request, #main .htmx-request, #main > #waiting:not(.waits, [hidden])";

// The user is reading for some time after a touch or a new page, and typing while a field has the focus.
const STAYS = 15000;
const AT_WORK = ":is(input, textarea, select):focus";

let timer = 0;
let touched = performance.now();
let isAsking = false;
let missed = 0;

// A panel that is open over the page stays open.
const isOver = CSS.supports("selector(:popover-open)") ? ":popover-open" : ".none";

const watched = () => document.querySelector("[data-live]");

const scoresIn = (page) => page.querySelector(SCORES)?.textContent;

/** @type {WeakMap<Element, string>} */
const scores = new WeakMap(); // the scores shown beside each message element

function plan(rest = 0) {
  clearTimeout(timer);
  const news = watched();
  if (!news) return;
  if (!scores.has(news)) scores.set(news, scoresIn(document));
  timer = setTimeout(ask, Math.max(rest, document.hidden ? SELDOM : OFTEN));
}

async function ask() {
  clearTimeout(timer);
  const news = watched();
  if (!news || isAsking) return;
  isAsking = true;
  let rest = 0;
  try {
    const answer = await fetch(news.dataset.live, {
      cache: "no-store",
      headers: { "X-Ticket": news.dataset.ticket }, // lets the server answer without loading the session
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!(await isOurs(answer))) throw answer;
    const text = answer.status === 200 ? await answer.text() : "";
    const [leads, live, ticket] = ["X-Leads", "X-Live", "X-Ticket"].map((name) => answer.headers.get(name));
    if (leads) lead(news, leads, text);
    else if (news.isConnected) onAnswer(news, answer.status, text);
    if (live) news.dataset.live = live;
    if (ticket) news.dataset.ticket = ticket; // a shared copy of a page comes without one
    rest = Number(answer.headers.get("Retry-After")) * 1000 || 0; // NaN if a proxy sends a date
  } catch {
    if (news.isConnected) miss(news);
  } finally {
    isAsking = false;
    plan(rest);
  }
}

function onAnswer(news, status, text) {
  if (status === 403 || status === 404)
    location.reload(); // access has ended: the new page says so
  else if (status !== 200 && status !== 204) miss(news);
  else if (status === 200 && !document.querySelector(BUSY)) show(news, text);
  else if (missed >= LOST_AFTER) news.textContent = "";
  if (status === 200 || status === 204) missed = 0;
  if (status === 204) document.dispatchEvent(new Event("live:current")); // for a cached page
}

// The game continues on another page: go there if the user is not busy here, otherwise show a link. The back
// button skips this page.
function lead(news, address, words) {
  if (!news.isConnected) return;
  const isFree =
    performance.now() - touched > STAYS && !document.querySelector(`${AT_WORK}, ${BUSY}, ${isOver}`);
  if (isFree) location.replace(address);
  else link(news, address, words);
}

function link(news, href, textContent) {
  if (news.querySelector("a")) return;
  tellNews(news, "", textContent);
  news.append(Object.assign(document.createElement("a"), { href, textContent, className: "btn text" }));
}

function miss(news) {
  missed += 1;
  if (missed === LOST_AFTER) tellNews(news, news.dataset.lost);
}

// Shows a message about the page, and says it unless the page itself has more to say.
function tellNews(news, text, sentence = text) {
  news.textContent = text;
  say(sentence);
}

function show(news, text) {
  if ("leads" in news.dataset) {
    // the question was answered on another phone: swap in the page with the game's present state
    window.htmx.swap("#main", text, { swapStyle: "outerHTML" }, { select: "#main" });
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  const next = page.getElementById("news");
  if (!next) return;
  const { keeps } = news.dataset;
  if (keeps) {
    // the page has an open form or a refusal
    const { live, ticket } = next.dataset;
    Object.assign(news.dataset, { live, ticket });
    link(news, keeps, news.dataset.other);
    document.querySelector(`.sheetover${isOver} h2`)?.after(news); // a sheet would cover it
    return;
  }
  const main = document.getElementById("main");
  const focused = main.contains(document.activeElement) ? document.activeElement : null;
  const wasAt = [...main.querySelectorAll("[data-scroll-end]")].map((box) => [box.scrollTop, isAtEnd(box)]);
  const words = announced(news, next, page);
  scores.set(news, scoresIn(page));
  const isSaid = next.dataset.said && next.dataset.said !== news.dataset.said;
  if (words || missed >= LOST_AFTER) tellNews(news, words, isSaid ? "" : words);
  const { result } = next.dataset;
  const hasEnded = result && !news.dataset.result;
  Object.assign(news.dataset, { ...next.dataset });
  document.title = page.title;
  renew(main.querySelector(".bar"), page.querySelector(".bar"));
  for (const part of PARTS) replace(main, page.getElementById("main"), part);
  main.querySelectorAll("[data-scroll-end]").forEach((box, place) => {
    const [top, atEnd] = wasAt[place] ?? [0, true];
    box.scrollTop = atEnd ? box.scrollHeight : top;
  });
  if (focused && !focused.isConnected) {
    const same = twin(main, focused) ?? main.querySelector("h1");
    same?.focus({ preventScroll: true });
    if (focused instanceof HTMLInputElement && focused.id && same instanceof HTMLInputElement)
      same.setSelectionRange(focused.selectionStart, focused.selectionEnd);
  }
  sayNews();
  document.dispatchEvent(new Event("live:current")); // a cached page is as new as the server's now
  // When the game ends, go to the result. If a panel is open, the button below it leads there.
  if (hasEnded && !main.querySelector(isOver)) main.querySelector(`.dock [href="${result}"]`)?.click();
}

// A new person or an offered hand is shown without a message, because the scores are the same. The scores of
// the page before are remembered, because a browser may have translated what it shows.
function announced(news, next, page) {
  if (next.dataset.after !== news.dataset.after) return next.dataset.latest;
  return scores.get(news) === scoresIn(page) ? "" : next.dataset.other;
}

// Keeps the heading element, because a new one with the focus would be read out at every change.
function renew(bar, next) {
  const [heading, fresh] = [bar, next].map((one) => one.querySelector("h1"));
  for (const tool of [...bar.children]) if (tool !== heading) tool.remove();
  heading.replaceChildren(...fresh.childNodes);
  const tools = [...next.children];
  const place = tools.indexOf(fresh);
  heading.before(...tools.slice(0, place));
  heading.after(...tools.slice(place + 1));
  window.htmx.process(bar);
}

const isAtEnd = (box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 8;

function replace(main, fresh, part) {
  const old = main.querySelector(`:scope > .${part}`);
  const next = fresh.querySelector(`:scope > .${part}`);
  if (!next) return old?.remove();
  document.adoptNode(next);
  const kept = old ? formsInUse(old, next) : [];
  if (kept.length) return replaceAround(old, next, kept);
  if (old) {
    carry(old, next);
    const { scrollTop } = old;
    const over = old.querySelector(isOver);
    old.replaceWith(next);
    next.scrollTop = scrollTop;
    if (over) document.getElementById(over.id)?.showPopover?.();
  } else {
    const later = PARTS.slice(PARTS.indexOf(part) + 1).map((one) => main.querySelector(`:scope > .${one}`));
    main.insertBefore(next, later.find(Boolean) ?? null);
  }
  window.htmx.process(next);
  window.htmx.trigger(next, "htmx:load");
}

const isChanged = (field) =>
  field.matches("[type=radio], [type=checkbox]")
    ? field.checked !== field.defaultChecked
    : field.matches("input:not([type=hidden]), textarea") && field.value !== field.defaultValue;

// The panels with a form that are open or filled in, and that the new page has too.
function formsInUse(old, next) {
  const forms = [...old.querySelectorAll(":scope > [popover]")].filter((box) => box.querySelector("form"));
  const isInUse = (box) =>
    box.matches(isOver) || [...box.querySelectorAll("input, textarea")].some(isChanged);
  return forms.filter((box) => next.querySelector(`:scope > #${box.id}[popover]`) && isInUse(box));
}

// Replaces what is around these panels. An open one says that the page has changed.
function replaceAround(old, next, kept) {
  carry(old, next);
  for (const node of [...old.childNodes]) if (!kept.includes(node)) node.remove();
  const rest = [...kept];
  for (const node of [...next.childNodes]) {
    const panel = kept.find(({ id }) => id && id === node.id);
    if (panel) renewKey(rest.shift(), node);
    else old.insertBefore(node, rest[0] ?? null);
    if (panel || node.nodeType !== Node.ELEMENT_NODE) continue;
    window.htmx.process(node);
    window.htmx.trigger(node, "htmx:load");
  }
  for (const panel of kept.filter((box) => box.matches(isOver))) tell(panel);
}

// The key of a cached page may be used already.
function renewKey(panel, next) {
  const [key, fresh] = [panel, next].map((box) => box.querySelector("[name=key]"));
  if (document.getElementById("main").dataset.seen !== undefined && key && fresh) key.value = fresh.value;
}

function tell(panel) {
  if (panel.querySelector("h2 + .notice")) return;
  const { other } = watched().dataset;
  const words = Object.assign(document.createElement("p"), { className: "notice" });
  panel.querySelector("h2").after(words);
  words.textContent = other;
  say(other);
}

// Keeps the text that was typed and the folds that are open.
function carry(old, next) {
  for (const field of old.querySelectorAll("input[id]")) {
    const same = next.querySelector(`#${CSS.escape(field.id)}`);
    if (same && field.value !== field.defaultValue) same.value = field.value;
  }
  const folds = next.querySelectorAll("details");
  old.querySelectorAll("details").forEach((fold, place) => {
    const same = fold.id ? next.querySelector(`#${CSS.escape(fold.id)}`) : folds[place];
    if (fold.open && same) same.open = true;
  });
}

// Finds the element that replaces the focused one: by its id, its link or labels, otherwise by its text.
function twin(main, focused) {
  if (focused.matches(".body")) return main.querySelector(":scope > .body");
  const { id } = focused;
  const marks = ["href", "title", "aria-label", "popovertarget"].filter((name) => focused.hasAttribute(name));
  const isMarked = (other) => marks.every((name) => other.getAttribute(name) === focused.getAttribute(name));
  return [...main.querySelectorAll(focused.localName)].find((other) => {
    if (id) return other.id === id;
    return marks.length ? isMarked(other) : other.textContent === focused.textContent;
  });
}

const look = () => {
  if (!document.hidden) ask();
};

const touch = () => {
  touched = performance.now();
};
for (const event of ["pointerdown", "keydown", "wheel", "htmx:afterSwap"])
  document.addEventListener(event, touch, { passive: true });
document.addEventListener("htmx:load", () => plan());
document.addEventListener("visibilitychange", look);
window.addEventListener("online", look);
window.addEventListener("pageshow", (event) => {
  if (event.persisted) look();
});
plan();
