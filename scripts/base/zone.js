// Sends the phone's time zone with the forms that have a field for it.

function start() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  for (const field of document.querySelectorAll("[data-zone]")) {
    field.value = timeZone ?? "";
    field.hidden = field.disabled = false;
  }
}

document.addEventListener("htmx:load", start);
start();
