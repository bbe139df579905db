// One tap sends the result: the share sheet where there is one, else the clipboard, else the text stands selected to be copied.

async function share(button) {
  const box = document.getElementById(button.dataset.share);
  if (navigator.share) {
    try {
      await navigator.share({ text: box.value });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  let said = button.dataset.done;
  try {
    await navigator.clipboard.writeText(box.value);
  } catch {
    box.focus();
    box.select();
    said = button.dataset.select;
  }
  const label = button.querySelector("span") || button;
  const before = label.textContent;
  label.textContent = said;
  setTimeout(() => { label.textContent = before; }, 2500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-share]");
  if (button && !button.dataset.busy) {
    button.dataset.busy = "yes";
    share(button).finally(() => setTimeout(() => delete button.dataset.busy, 2600));
  }
});
