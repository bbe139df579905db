// The result goes to the group in one tap, as text or as a picture: by the share sheet where there is one.
// Else the text is copied, or stands selected to be copied, and the picture is saved. `window.print` belongs
// to the sheet for paper.

import { memory } from "./memory.js";

const made = new WeakMap(); // the picture of each button, drawn once

/** @type {(button: HTMLElement) => { label: HTMLElement, words: ChildNode[], timer: number }} */
const answering = memory((button) => {
  const label = button.querySelector("span") || button;
  return { label, words: [...label.childNodes], timer: 0 };
});

// Says for a moment on the button what became of a tap.
function answer(button, text) {
  const state = answering(button);
  state.label.textContent = text;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => state.label.replaceChildren(...state.words), 2500);
}

// Whether the phone took it; also when the person thought better of it. False where it cannot.
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

// The choice of how to send it stays open for what a button has to say, and goes with what was sent.
const choices = () => document.querySelector(".send[open]");
const shut = () => choices()?.removeAttribute("open");

async function sendText(button) {
  const box = document.getElementById(button.dataset.share);
  if (navigator.share && (await hand({ text: box.value }).catch(() => false))) {
    shut();
    return;
  }
  try {
    await navigator.clipboard.writeText(box.value);
    answer(button, button.dataset.done);
  } catch {
    box.focus();
    box.select();
    answer(button, button.dataset.select);
  }
}

// The drawing comes only when somebody is about to send it.
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
      // Without words: some apps would take them for the picture's caption.
      if (await hand({ files: [file] })) {
        shut();
        return;
      }
    } catch {
      answer(button, button.dataset.again); // the drawing took longer than a tap lasts
      return;
    }
  }
  save(file);
  answer(button, button.dataset.saved);
}

function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function once(button, send) {
  if (button.dataset.busy) return;
  button.dataset.busy = "yes";
  send(button).finally(() => delete button.dataset.busy);
}

document.addEventListener("click", (event) => {
  if (!choices()?.contains(event.target)) shut();
  const button = event.target.closest("[data-share], [data-picture], [data-print]");
  if (!button) return;
  if ("print" in button.dataset) window.print();
  else once(button, "share" in button.dataset ? sendText : sendPicture);
});
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !choices()) return;
  choices().querySelector("summary").focus();
  shut();
});
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-picture]");
  if (button) picture(button).catch(() => {});
});
