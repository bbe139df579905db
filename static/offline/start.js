// Work without a network: the service worker, saves that wait and are sent by themselves, cached pages, and
// nothing left for the next person. This file connects events with the modules that handle them.

import { stored } from "../base/memory.js";
import { hearAnswer, hearCurrent, hearNews, hearTold, hearWorker, notice } from "./arrival.js";
import { goOut } from "./person.js";
import { outbox } from "./place.js";
import { listenLast } from "./saving.js";
import { wake } from "./sending.js";

document.addEventListener("submit", goOut);
document.addEventListener("submit", listenLast, true);
document.addEventListener("click", hearTold);
document.addEventListener("visibilitychange", wake);
document.addEventListener("live:current", hearCurrent);
document.addEventListener("htmx:load", ({ target }) => notice(target));
document.addEventListener("htmx:afterRequest", hearAnswer);
window.addEventListener("online", wake);
window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
navigator.serviceWorker?.addEventListener("controllerchange", hearWorker);
outbox.heard(hearNews);
notice(document.body);
if (stored("hand:")) import("../play/own_hand.js");
