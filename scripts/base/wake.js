// Keeps the screen on while a page that requests it is visible, where the browser supports it (not over
// plain http).

let lock = null;
let isAsking = false;

const isWanted = () =>
  Boolean(document.querySelector("[data-wake-lock]")) && document.visibilityState === "visible";

// Request one lock at a time: a second one would never be released. The game may end while the browser
// answers, so check again then.
async function hold() {
  if (isAsking || !navigator.wakeLock) return;
  if (!isWanted()) {
    lock?.release().catch(() => {});
    lock = null;
  } else if (!lock || lock.released) {
    isAsking = true;
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    isAsking = false;
    if (lock && !isWanted()) hold();
  }
}

document.addEventListener("visibilitychange", hold);
document.addEventListener("htmx:load", hold);
hold();
