// Amounts as people type them, counted in the table's smallest coin.

const decimalSign = () => document.querySelector("main").dataset.figures[1];

const GROUPED = /^[1-9]\d{0,2}([., \u00a0\u202f'’])\d{3}(?:\1\d{3})*$/;

// Returns a typed amount in the smallest coin, parsed like on the server (parse_amount); NaN if it is invalid
// or has more decimals than the money.
export function coins(text, decimals) {
  const place = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  const isGroup = place > 0 && text.length - place === 4;
  const isPart = place >= 0 && (!isGroup || (decimals > 2 && text[place] === decimalSign()));
  const whole = isPart ? text.slice(0, place) : text;
  const part = isPart ? text.slice(place + 1) : "";
  const between = GROUPED.exec(whole)?.[1];
  const digits = between && !(isPart && between === text[place]) ? whole.replaceAll(between, "") : whole;
  const isNumber = /^\d+$/.test(digits + part) && part.length <= decimals;
  return isNumber ? Number(digits + part.padEnd(decimals, "0")) : Number.NaN;
}

// Returns an amount of the smallest coin as it is typed into a field.
export const typed = (amount, decimals) =>
  (amount / 10 ** decimals).toFixed(decimals).replace(".", decimalSign());
