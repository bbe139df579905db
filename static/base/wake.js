// Keeps the screen on while a page that requests it is visible, where the browser supports it (not over
// plain http).

let lock = null;

async function hold() {
  const isWanted = document.querySelector("[data-wake-lock]") && document.visibilityState === "visible";
  if (!isWanted) {
    lock?.release().catch(() => {});
    lock = null;
  } else if ((!lock || lock.released) && navigator.wakeLock) {
    try {
      lock = await navigator.wakeLock.request("screen");
    } catch {
      lock = null;
    }
  }
}

document.addEventListener("visibilitychange", hold);
document.addEventListener("htmx:load", hold);
hold();
