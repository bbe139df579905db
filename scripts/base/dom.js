// Building blocks of every pad: numbers, sentences, cards.

export function grouped(number, decimals = 0) {
  const [group, decimal] = document.querySelector("main").dataset.figures;
  const figure = number.toFixed(decimals).replace(".", decimal);
  return figure.replace(/\B(?=(\d{3})+(?!\d))/g, group);
}

export const minus = (figure) => (typeof figure === "number" ? grouped(figure) : figure).replace("-", "−");
export const signed = (number) => (number > 0 ? `+${grouped(number)}` : minus(number));
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// Returns the sentence in the plural form for this count in the page's language.
export function counted(words, name, count, values) {
  const form = new Intl.PluralRules(document.documentElement.lang).select(count);
  return fill(words[`${name}_${form}`] ?? words[`${name}_other`], { count, ...values });
}

export const isNumber = (text) => /^-?\d+$/.test(text);

export function piece(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (tag === "button") made.type = "button";
  made.append(...content);
  return made;
}

export const icon = (name) => piece("i", `i i-${name}`);

// Returns the face of a card: its rank, or the star of a joker.
export const face = (rank) => (rank === "*" ? icon("star") : rank);

/** @type {WeakMap<Element, string>} */
const keys = new WeakMap(); // of the pieces on the page

// Makes the box contain the wanted pieces, and creates only those with a new key. The focus stays on the
// button in the same place, or moves to `otherwise`.
export function patch(box, wanted, otherwise) {
  keepFocus(box, otherwise, () => {
    wanted.forEach(({ key, make }, place) => {
      const there = box.children[place];
      if (there && keys.get(there) === key) return;
      const made = make();
      keys.set(made, key);
      if (there) there.replaceWith(made);
      else box.append(made);
    });
    while (box.children.length > wanted.length) box.lastElementChild.remove();
  });
}

function keepFocus(box, otherwise, act) {
  const focused = document.activeElement;
  const place = [...box.querySelectorAll("button")].indexOf(focused);
  act();
  if (place < 0 || focused.isConnected) return;
  const buttons = box.querySelectorAll("button");
  (buttons[place] || buttons[buttons.length - 1] || otherwise).focus();
}

// Sets a text only if it has changed: setting the same text would cause a new layout.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function say(element, sentence) {
  setText(element, sentence);
  element.hidden = !sentence;
}
