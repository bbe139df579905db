// Whoever signs out, or in over a guest, leaves this phone to the next: what waits is sent first, and nothing
// stays behind.

import { OURS, forget, person, stored, words } from "./offline.js";

const { queue } = self;
const PATIENCE = 8000;

// What whoever lends this phone had half entered lies aside until it is theirs again; what they saved rests
// by itself.
function putAside() {
  try {
    stored(
      `aside:${person()}`,
      JSON.stringify(Object.entries(localStorage).filter(([key]) => OURS.test(key))),
    );
  } catch {
    // Nothing is stored, so nothing is there.
  }
}

// Whoever signs out, or in over a guest, takes nothing along that waits on this phone: it is sent first, or
// the loss is said; where the guest only lends the phone nothing is lost. Who comes next finds nothing of the
// one before, whose pages would be shown him by a slow network.
async function leave(form) {
  await queue.send().catch(() => {});
  const entries = await queue.all().catch(() => []);
  const count = entries.filter((entry) => entry.person === person()).length;
  const isLent = form.elements.mine?.value === "no";
  if (count && !isLent && !form.isWarned) {
    form.isWarned = true;
    const warning = document.createElement("p");
    warning.className = "wrong";
    warning.role = "alert";
    warning.textContent = words().lost.replace("{count}", count);
    form.append(warning); // not over the button, which is still needed
    warning.scrollIntoView({ block: "nearest" });
    return false;
  }
  // Who signs in may have mistyped the password, and stays; where nothing can be kept, nothing waits.
  if (form.dataset.leaves === "out") await queue.wipe(person()).catch(() => {});
  if (isLent) putAside();
  await forget();
  return true;
}

// Only the site's own word counts: a hotel's sign-in page is none.
const isThere = () =>
  fetch("/token/", { signal: AbortSignal.timeout(PATIENCE) })
    .then((answer) => answer.json())
    .then(
      ({ token }) => Boolean(token),
      () => false,
    );

export async function goOut(form, submitter, lost) {
  if (!(await isThere())) return lost();
  if (form.dataset.leaves && !(await leave(form))) return null;
  if (submitter?.name)
    form.append(
      Object.assign(document.createElement("input"), {
        type: "hidden",
        name: submitter.name,
        value: submitter.value,
      }),
    );
  return form.submit();
}
