// The only copy of a table as a file, in one tap: shared if the phone can do that, otherwise downloaded. The
// home page asks for a new file at the end of each game, or a day after the last file, if something was
// recorded since.

import { download, buildFiles } from "../base/files.js";
import { stored } from "../base/state.js";
import { dayText } from "../base/days.js";
import { fill } from "../base/dom.js";

const DAY = 24 * 60 * 60 * 1000;

/** @typedef {{ at: number, change: number, isFile?: boolean }} Last the last file, or the first visit */

/** @type {(box: HTMLElement) => Last} */
function lastSaved(box) {
  const key = `saved:${box.dataset.code}`;
  if (!stored(key)) remember(box, { at: Date.now(), change: 0 });
  return JSON.parse(stored(key));
}

const remember = (box, last) => stored(`saved:${box.dataset.code}`, JSON.stringify(last));

function present(box) {
  const { at, change, isFile } = lastSaved(box) ?? {};
  const isOver = box.dataset.running === undefined || Date.now() - at > DAY;
  const isDue = isOver && Number(box.dataset.change) > change;
  const kept = box.querySelector("[data-last]");
  box.classList.toggle("notice", isDue);
  box.querySelector("button").classList.toggle("go", isDue);
  box.querySelector("[data-due]").hidden = !isDue;
  kept.hidden = !isFile || isDue;
  kept.textContent = fill(box.dataset.kept, { date: dayText(at) });
}

async function filesAt(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  const [, name] = /filename="(.+)\.json"/.exec(answer.headers.get("Content-Disposition"));
  return buildFiles(await answer.text(), name);
}

// Resolves to whether there is a file now. On a slow phone the tap may no longer permit sharing when the file
// is ready.
async function handOver(files) {
  const shared = files.find((file) => navigator.canShare?.({ files: [file] }));
  try {
    if (!shared) download(files[0]);
    else await navigator.share({ files: [shared] });
    return true;
  } catch (error) {
    if (error.name === "NotAllowedError") download(files[0]);
    return error.name === "NotAllowedError";
  }
}

async function save(box) {
  const { saving: address, change } = box.dataset;
  const button = box.querySelector("button");
  button.disabled = true;
  const isSaved = await filesAt(address).then(handOver, () => false);
  button.disabled = false;
  if (!isSaved) return;
  remember(box, { at: Date.now(), change: Number(change), isFile: true });
  present(box);
}

function arrive() {
  for (const box of document.querySelectorAll("[data-saving]")) {
    present(box);
    box.querySelector("button").onclick = () => save(box);
  }
}

document.addEventListener("htmx:load", arrive);
arrive();
