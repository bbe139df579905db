// The letters on the faces of people whose names are being typed, as `avatar_letters` in
// games/common/naming.py gives them. The members of the table keep theirs.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

export function letters(people) {
  const names = people.map(({ name }) => [...name]);
  const taken = new Set(people.map(({ initial }) => plain(initial)).filter(Boolean));
  return people.map(({ initial }, index) => {
    if (initial) return initial;
    const pair = pick(
      names[index],
      names.filter((_name, at) => at !== index),
      taken,
    );
    taken.add(plain(pair));
    return pair;
  });
}

function pick(name, others, taken) {
  const first = name[0].toUpperCase();
  const alike = others.filter((other) => other[0].toUpperCase() === first);
  if (!alike.length) return first;
  const start = Math.max(...alike.map((other) => shared(name, other)));
  const pairs = [...name.slice(start), ...name.slice(1, start)]
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .map((letter) => first + letter.toLowerCase());
  return pairs.find((pair) => !taken.has(plain(pair))) ?? pairs[0] ?? first;
}

// Returns how many letters two names have in common from their beginning.
function shared(name, other) {
  const end = name.findIndex((letter, at) => plain(letter) !== plain(other[at] ?? ""));
  return end < 0 ? name.length : end;
}
