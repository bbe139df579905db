// Opens the rules over the page, so that an unfinished round or an unsaved correction stays as it is.

import { isOurs } from "../base/page.js";

let isOpening = false; // whether the rules are on their way

// Without a network, or if refused, follows the link instead.
async function onClick(event) {
  const link = event.target.closest("a[data-rules]");
  if (!link || isOpening || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  isOpening = true;
  await open(link).catch(() => {
    location.href = link.href;
  });
  isOpening = false;
}

async function open(link) {
  const answer = await fetch(link.href);
  if (!answer.ok || !(await isOurs(answer))) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  const dialog = document.createElement("dialog");
  dialog.className = "over";
  dialog.append(...page.childNodes);
  const close = dialog.querySelector(".bar a.icon");
  dialog.setAttribute("aria-label", dialog.querySelector("h1").firstChild.textContent.trim());
  close.setAttribute("aria-label", close.dataset.close);
  close.firstElementChild.className = "i i-close";
  dialog.addEventListener("click", (event) => {
    if (event.target !== dialog && !event.target.closest(".bar a.icon")) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // letters are cards to the pad
  dialog.addEventListener("close", () => {
    dialog.remove();
    link.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("click", onClick, true);
window.addEventListener("popstate", () => document.querySelector("dialog.over")?.close());
