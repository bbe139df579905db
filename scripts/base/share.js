// Shares a result in one tap as text or picture, with the phone's share sheet. Without one, copies the text,
// or selects it for copying, and saves the picture.

import { download } from "./files.js";
import { isOurs, warn } from "./page.js";
import { memory } from "./state.js";

const made = new WeakMap(); // the picture of each button

/** @type {(button: HTMLElement) => { label: HTMLElement, words: ChildNode[], timer: number }} */
const answering = memory((button) => {
  const label = button.querySelector("span") || button;
  return { label, words: [...label.childNodes], timer: 0 };
});

// Shows the outcome of a tap on the button for a moment.
function answer(button, text) {
  const state = answering(button);
  state.label.textContent = text;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => state.label.replaceChildren(...state.words), 2500);
}

// Returns whether the share sheet opened, even if the user then canceled.
async function hand(what) {
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    if (error.name === "AbortError") return true;
    if (error.name === "NotAllowedError") throw error;
    return false;
  }
}

// The sheet stays open while a button shows an outcome, and closes once something was shared.
const shut = () => document.getElementById("group")?.hidePopover?.();

async function sendText(button) {
  const box = document.getElementById(button.dataset.share);
  if (
    navigator.share &&
    !("copy" in button.dataset) &&
    (await hand({ text: box.value }).catch(() => false))
  ) {
    shut();
    return;
  }
  const field = /** @type {HTMLInputElement?} */ (document.getElementById(button.dataset.copy));
  if (field) field.disabled = false;
  try {
    await navigator.clipboard.writeText(box.value);
    answer(button, button.dataset.done);
  } catch {
    box.focus();
    box.select();
    answer(button, button.dataset.select);
  }
}

// The drawing script is a file of its own, loaded only when needed: few users share a picture.
function picture(button) {
  if (!made.has(button)) {
    const { picture: address, drawn, file } = button.dataset;
    const drawing = import(address)
      .then((module) => module.draw(JSON.parse(drawn)))
      .then((blob) => new File([blob], file, { type: blob.type }));
    drawing.catch(() => made.delete(button));
    made.set(button, drawing);
  }
  return made.get(button);
}

async function sendPicture(button) {
  let file;
  try {
    file = await picture(button);
  } catch {
    answer(button, button.dataset.failed);
    return;
  }
  if (navigator.canShare?.({ files: [file] })) {
    try {
      // No text with it: some apps would use it as the picture's caption.
      if (await hand({ files: [file] })) {
        shut();
        return;
      }
    } catch {
      answer(button, button.dataset.again); // the drawing took longer than a tap permits sharing
      return;
    }
  }
  download(file);
  answer(button, button.dataset.saved);
}

// Shares the text and the picture together, or the text alone. Without a share sheet the link leads to a chat
// app.
async function sendBoth(link) {
  const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("message")).value;
  const drawing = document.querySelector("[data-picture]");
  const file = drawing && (await picture(drawing).catch(() => null));
  const both = { text, files: [file] };
  try {
    if (await hand(file && navigator.canShare?.(both) ? both : { text })) shut();
  } catch {
    answer(link, /** @type {HTMLElement} */ (drawing).dataset.again);
  }
}

// Shows the picture as the group will get it, in the space reserved for it.
async function preview(box) {
  const image = box.querySelector("[data-preview]");
  const file = image && (await picture(box.querySelector("[data-picture]")).catch(() => null));
  if (image) image.hidden = !file;
  if (!file) return;
  const reader = new FileReader();
  reader.onload = () => {
    image.src = reader.result;
  };
  reader.readAsDataURL(file);
}

function once(button, send) {
  if (button.dataset.busy) return;
  button.dataset.busy = "yes";
  send(button).finally(() => delete button.dataset.busy);
}

document.addEventListener("click", (event) => {
  const link = navigator.share && event.target.closest("[data-send]");
  if (link) {
    event.preventDefault();
    once(link, sendBoth);
  }
  const button = event.target.closest("[data-share], [data-picture]");
  if (button) once(button, "share" in button.dataset ? sendText : sendPicture);
});
// The text and the picture say who has paid, so opening the sheet fetches both again, with the reasons where
// the page itself has none. Without an answer, the page's own are shared.
async function refresh(sheet) {
  const answer = await fetch(sheet.dataset.fuller ?? location.href).catch(() => null);
  const isBusy = answer?.status === 429;
  if (!(answer?.ok || isBusy) || answer.redirected || !(await isOurs(answer))) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (isBusy) return warn(page.querySelector("main p")?.textContent.trim());
  const next = page.getElementById("group");
  if (!next) return;
  const [[box, link, button], [text, sent, drawn]] = [sheet, next].map((one) =>
    ["#message", "[data-send]", "[data-picture]"].map((part) => one.querySelector(part)),
  );
  if (drawn && !button) return replace(sheet, next);
  box.value = text.value;
  link.href = sent.href;
  if (!button || !drawn || button.dataset.drawn === drawn.dataset.drawn) return;
  button.dataset.drawn = drawn.dataset.drawn;
  made.delete(button);
}

function replace(sheet, next) {
  const hasFocus = sheet.contains(document.activeElement);
  sheet.replaceChildren(...next.childNodes);
  if (hasFocus) sheet.querySelector("h2").focus();
}

async function opening({ target, newState }) {
  if (target.id !== "group" || newState !== "open") return;
  for (const image of target.querySelectorAll("[data-preview]")) image.hidden = false;
  await refresh(target);
  preview(target);
}
document.addEventListener("beforetoggle", opening, true);
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-picture]");
  if (button) picture(button).catch(() => {});
});
// The sheet may have been opened before this script came.
const group = CSS.supports("selector(:popover-open)") && document.querySelector("#group:popover-open");
if (group) opening({ target: group, newState: "open" });
