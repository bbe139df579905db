// Amounts as people type them, counted in the table's smallest coin.

const decimalSign = () => document.querySelector("main").dataset.figures[1];

// Returns a typed amount in the smallest coin, parsed like on the server (parse_amount); NaN if it is invalid
// or has more decimals than the money.
export function coins(text, decimals) {
  const place = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  const isGroup = place > 0 && text.length - place === 4;
  const isPart = place >= 0 && (!isGroup || (decimals > 2 && text[place] === decimalSign()));
  const whole = (isPart ? text.slice(0, place) : text).replace(/[.,\s]/g, "");
  const part = isPart ? text.slice(place + 1) : "";
  return whole + part && part.length <= decimals ? Number(whole + part.padEnd(decimals, "0")) : Number.NaN;
}

// Returns an amount of the smallest coin as it is typed into a field.
export const typed = (amount, decimals) =>
  (amount / 10 ** decimals).toFixed(decimals).replace(".", decimalSign());
