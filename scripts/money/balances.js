// Starting balances: one row is open, the sums on the cloth follow what is typed, and the closer wakes when
// they close at zero.

import { coins } from "../base/coins.js";
import { fill, grouped, setText } from "../base/dom.js";

const rowsOf = (form) => [...form.querySelectorAll("[data-balance]")];
const amountField = (row) => row.querySelector("[data-amount]");
const nameOf = (row) => row.querySelector("bdi").textContent;

function facts(form) {
  const { decimals, words } = JSON.parse(form.dataset.balances);
  const money = (sum) =>
    fill(form.dataset.money, { amount: grouped(Math.abs(sum) / 10 ** decimals, decimals) });
  const balances = rowsOf(form).map((row) => {
    const text = amountField(row).value.trim();
    const isOwing = row.querySelector("[value=owes]").checked;
    return text ? coins(text, decimals) * (isOwing ? -1 : 1) : 0;
  });
  return { decimals, words, money, balances };
}

const total = (amounts) => amounts.reduce((sum, amount) => sum + amount, 0);

function show(form) {
  const said = facts(form);
  const known = said.balances.map((balance) => balance || 0);
  const sums = [
    -total(known.filter((balance) => balance < 0)),
    Math.abs(total(known)),
    total(known.filter((balance) => balance > 0)),
  ];
  showSums(form.querySelector("[data-sums]"), sums, said.money);
  for (const [place, row] of rowsOf(form).entries()) showRow(row, known[place], said);
  showRest(form, known, said);
  showCloser(form, sums, said);
}

function showSums(cloth, sums, money) {
  cloth.hidden = false;
  for (const [place, figure] of cloth.querySelectorAll("b").entries()) setText(figure, money(sums[place]));
  const whole = total(sums) || 1;
  const [owing, owed] = cloth.querySelectorAll("rect");
  owing.setAttribute("width", String((100 * sums[0]) / whole));
  owed.setAttribute("x", String((100 * (sums[0] + sums[1])) / whole));
  owed.setAttribute("width", String((100 * sums[2]) / whole));
}

function showRow(row, balance, { money, words }) {
  const [figure, side] = row.querySelectorAll(".moved > *");
  setText(figure, balance ? money(balance) : "–");
  setText(side, balance ? words[balance < 0 ? "owes" : "owed"] : "");
}

// What the open row would have to be for all to close at zero.
function rest(form, known) {
  const place = rowsOf(form).findIndex(({ open }) => open);
  return { place, missing: place < 0 ? 0 : known[place] - total(known) };
}

function showRest(form, known, { words }) {
  const key = form.querySelector("[data-rest]");
  const { place, missing } = rest(form, known);
  key.hidden = !missing || !total(known);
  if (key.hidden) return;
  const name = nameOf(rowsOf(form)[place]);
  setText(key, fill(words[missing < 0 ? "rest_owes" : "rest_owed"], { name }));
}

// An amount that cannot be read is sent: the site says what is wrong with it.
function showCloser(form, sums, { balances, money, words }) {
  const [owing, missing, owed] = sums;
  const closer = form.querySelector("[data-closer]");
  const text = closer.querySelector("span");
  text.dataset.empty ??= text.textContent;
  const isUnread = balances.some(Number.isNaN);
  closer.disabled = !isUnread && (missing > 0 || !owing);
  const count = balances.filter(Boolean).length;
  if (isUnread || (!owing && !owed)) setText(text, text.dataset.empty);
  else if (missing) setText(text, fill(words.short, { rest: money(missing) }));
  else setText(text, fill(words.save, { owed: money(owed), count }));
}

function fillRest(form) {
  const { balances, decimals } = facts(form);
  const { place, missing } = rest(
    form,
    balances.map((balance) => balance || 0),
  );
  const row = rowsOf(form)[place];
  row.querySelector(`[value=${missing < 0 ? "owes" : "owed"}]`).checked = true;
  amountField(row).value = grouped(Math.abs(missing) / 10 ** decimals, decimals);
  show(form);
}

const balanceForm = (event) => event.target.closest?.("[data-balances]");

document.addEventListener("input", (event) => {
  const form = balanceForm(event);
  if (form) show(form);
});
document.addEventListener("click", (event) => {
  const form = balanceForm(event);
  if (form && event.target.closest("[data-rest]")) fillRest(form);
});
document.addEventListener(
  "toggle",
  (event) => {
    const form = balanceForm(event);
    if (form) show(form);
  },
  true,
);

function start() {
  for (const form of document.querySelectorAll("[data-balances]:not([data-ready])")) {
    form.toggleAttribute("data-ready", true);
    const rows = rowsOf(form);
    const entered = rows.find((row) => row.contains(document.activeElement)); // stays under the finger
    const open = entered ?? rows.find((row) => "refused" in row.dataset) ?? rows[0];
    show(form);
    for (const row of rows) {
      row.open = row === open;
      row.name = "balance"; // only one is open
    }
    entered?.scrollIntoView({ block: "nearest" });
  }
}

document.addEventListener("htmx:load", start);
start();
