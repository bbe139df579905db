// Pages fetched before the network went, where there is no service worker to keep them.

import { main } from "./place.js";

const DOWN = [502, 503, 504]; // as good as no network

const pages = new Map();

export function hold(address, html) {
  pages.set(address, { html, at: new Date().toISOString(), person: main().dataset.person });
}

function open(event) {
  const { path, verb } = event.detail.requestConfig;
  const { pathname, searchParams } = new URL(path, location.href);
  const found = pages.get(pathname);
  if (verb !== "get" || found?.person !== main().dataset.person) return;
  const [closer] = /^\w+$/.exec(searchParams.get("closer") ?? "") ?? [];
  const tapped = closer ? `data-closer="${closer}" ` : "";
  const html = found.html.replace("<main ", `<main data-seen="${found.at}" ${tapped}`);
  event.stopPropagation();
  history.pushState({ htmx: true }, "", pathname);
  window.htmx.swap("#main", html, { swapStyle: "outerHTML" }, { select: "#main" });
}

function hearAnswer(event) {
  if (DOWN.includes(event.detail.xhr.status)) open(event);
}

document.addEventListener("htmx:sendError", open, true);
document.addEventListener("htmx:responseError", hearAnswer, true);
