// Whether scripts work on this page: the root has `data-scripts`, "coming" and then "ready", or lacks it
// without scripts and once they failed. What needs them is shown or hidden by that alone, so it is set before
// the page is drawn. A slow network is no failure: a button leads to the form that needs no scripts.

const root = document.documentElement;
const OURS = /\/app\.[\w.]*js$/;

root.dataset.scripts = "coming";

// The script did not come, or threw before it was ready. Nothing switches after that.
addEventListener(
  "error",
  ({ target, filename }) => {
    if (root.dataset.scripts === "coming" && OURS.test(filename ?? target.src)) delete root.dataset.scripts;
  },
  true,
);

document.addEventListener("click", ({ target }) => {
  const { form } = target.closest("[data-late]") ?? {};
  form?.toggleAttribute("data-unscripted", true);
});

// A tap on a face says who went out, in the fields of the form; the pad goes on from there.
document.addEventListener("click", ({ target }) => {
  const face = root.dataset.scripts === "coming" ? target.closest(".entry .seat") : null;
  const field = face?.form.querySelector(`[name=closer][value="${face.dataset.seat}"]`);
  if (!field) return;
  field.checked = true;
  for (const other of face.form.querySelectorAll(".seat"))
    other.toggleAttribute("data-chosen", other === face);
});
