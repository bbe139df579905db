// Opens the rules over the page, so that an unfinished round or an unsaved correction stays as it is.

import { isOurs } from "../base/page.js";

export async function open(link) {
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
  window.dispatchEvent(new Event("rules:shown"));
}

window.addEventListener("popstate", () => document.querySelector("dialog.over")?.close());
