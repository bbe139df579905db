// Reads the game in the part of the address behind `#` (NOTATION.md, As a link): names and totals at once,
// and then the sheet, which the server draws.

import { isTooLong, textOf, totalsIn } from "./linked.js";

const section = document.getElementById("shown");
const one = (part) => section.querySelector(`[data-${part}]`);

function refuse(text) {
  one("wrong").textContent = text;
  one("wrong").hidden = !text;
}

function showTotals(text) {
  const rows = totalsIn(text);
  one("totals").replaceChildren(...rows);
  one("totals").hidden = one("heading").hidden = !rows.length;
}

async function showSheet(part) {
  const { sheet, token: address } = section.dataset;
  const { token } = address ? await (await fetch(address)).json() : { token: "" };
  const answer = await fetch(sheet, {
    method: "POST",
    body: new URLSearchParams({ part }),
    headers: { "X-CSRFToken": token },
  });
  if (answer.status === 422) {
    showTotals(""); // what the server refuses may be forged
    return refuse((await answer.json()).sentences.join(" "));
  }
  if (!answer.ok) throw new Error(sheet);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  one("paper").replaceChildren(...page.body.children);
}

async function look() {
  const part = location.hash.slice(1);
  refuse("");
  showTotals("");
  one("paper").replaceChildren();
  if (!part) return refuse(section.dataset.none);
  if (isTooLong(part)) return refuse(section.dataset.large);
  await textOf(part).then(showTotals, () => {}); // the server says what is wrong
  await showSheet(part).catch(() => refuse(section.dataset.lost));
}

addEventListener("hashchange", look);
look();
