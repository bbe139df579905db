// Pages fetched ahead and kept in memory, for browsers without a service worker.

import { main } from "./place.js";

const DOWN = [502, 503, 504]; // count as no network

const pages = new Map();

export function hold(address, html) {
  pages.set(address, { html, at: new Date().toISOString(), person: main().dataset.person });
}

function open(event) {
  const { path, verb } = event.detail.requestConfig;
  const { pathname, searchParams } = new URL(path, location.href);
  const page = pages.get(pathname);
  if (verb !== "get" || page?.person !== main().dataset.person) return;
  const [closer] = /^\w+$/.exec(searchParams.get("closer") ?? "") ?? [];
  const tapped = closer ? `data-closer="${closer}" ` : "";
  const html = page.html.replace("<main ", `<main data-seen="${page.at}" ${tapped}`);
  event.stopPropagation();
  history.pushState({ htmx: true }, "", pathname);
  window.htmx.swap("#main", html, { swapStyle: "outerHTML" }, { select: "#main" });
}

function hearAnswer(event) {
  if (DOWN.includes(event.detail.xhr.status)) open(event);
}

document.addEventListener("htmx:sendError", open, true);
document.addEventListener("htmx:responseError", hearAnswer, true);
