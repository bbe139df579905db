// The names and totals of a game in a link (NOTATION.md, As a link), read before the sheet is drawn.

const LONGEST = 20_000; // games/scoring/text/link.py
const LARGEST = 100_000;

export const isTooLong = (part) => part.length > LONGEST;

// Returns the notation. A link that inflates to more than a game is not read to its end.
export async function textOf(part) {
  const packed = atob(part.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const letters = new TextDecoder();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text;
    size += value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new Error("too large");
    }
    text += letters.decode(value, { stream: true });
  }
}

// Returns a row for each player.
export function totalsIn(text) {
  const seats = text.split("\n").filter((line) => /^(players|join|replace|correct) /.test(line));
  // \x22 is the quotation mark, which would look like the beginning of a text to what shortens scripts.
  const names = new Map(
    seats.flatMap((line) => [...line.matchAll(/(\w+)=\x22([^\x22]+)\x22/g)].map((m) => [m[1], m[2]])),
  );
  const totals = /\nexpect totals (.+)\n$/.exec(text)?.[1].split(" ") ?? [];
  return totals.map((total) => {
    const [id, points] = total.split("=");
    const row = document.createElement("div");
    const [name, figure] = [document.createElement("dt"), document.createElement("dd")];
    name.textContent = names.get(id) ?? id;
    figure.textContent = points.replace("-", "−");
    row.append(name, figure);
    return row;
  });
}
