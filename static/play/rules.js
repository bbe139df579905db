// The rules open over the page they are asked from: a round half entered, or consequences not saved yet, stay where they are.

let opening = false;

async function show(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(answer.statusText);
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
  dialog.addEventListener("close", () => { dialog.remove(); link.focus(); });
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-rules]");
  if (!link || opening || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  opening = true;
  // Without the network, or where it is answered by a refusal, the link leads there like any other.
  show(link).catch(() => { location.href = link.href; }).finally(() => { opening = false; });
}, true);
window.addEventListener("popstate", () => document.querySelector("dialog.over")?.close());
