// The screen stays on while a page that asks for it is visible. Phones that cannot (or plain http) simply go
// on sleeping.

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
