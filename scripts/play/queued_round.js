// The pad after a round that waits to be sent: the next round, or a round that came back.

import { draftAt } from "./entry.js";

// Starts an empty entry for the round after a queued one.
export function renew(pad, { numbers, after, key, draft }) {
  const { form, entry } = pad;
  entry.numbers = numbers;
  Object.assign(pad.facts, { draft, seat: "" });
  pad.readings.renew();
  form.elements.after.value = after;
  form.elements.key.value = key;
  pad.one("#consequences").replaceChildren();
  for (const box of pad.all(".body :is(.errors, .notice)")) box.remove();
  for (const { button } of entry.seats) button.classList.remove("error");
  const hands = Object.fromEntries(entry.seats.map(({ id }) => [id, ""]));
  pad.begin({ closer: "", closing: "", hands, bought: {} }, draftAt(draft));
  pad.ready();
}

// Restores a round that was refused or withdrawn. A face tapped on an old page sets only the closer or, in
// games without one, the first hand.
export function load(pad, { closer, closing, hands }) {
  const { entry, facts } = pad;
  if (!entry.asksCloser && !closing) facts.seat = closer;
  for (const { id, field } of entry.seats) field.defaultValue = hands[id] || "";
  for (const radio of pad.all("[name=closer]")) radio.defaultChecked = radio.value === closer;
  for (const radio of pad.all("[name=closing]")) radio.defaultChecked = radio.value === closing;
  pad.begin(pad.fields("defaultValue", "defaultChecked"), closing ? null : draftAt(facts.draft));
  pad.ready();
  pad.ask();
}
