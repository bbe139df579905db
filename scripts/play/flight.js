// A card flies from its key into the hand, and back when the last one is erased. The hand has changed before,
// and nothing waits for it.

const TIME = 180;
const still = matchMedia("(prefers-reduced-motion: reduce)");
let isTap = false; // whether the last tap or key was for the open hand

const middle = (element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
};

// Moves a card between its place in the hand and its key.
function move(card, key, isBack) {
  const [[x, y], [keyX, keyY]] = [middle(card), middle(key)];
  const way = [`translate(${keyX - x}px, ${keyY - y}px) scale(.5)`, "none"];
  return card.animate({ transform: isBack ? way.reverse() : way, zIndex: [1, 1] }, TIME);
}

// A copy of an erased card flies from the last one left; nobody can tap it.
function flyBack(card, { offsetLeft, offsetTop, offsetWidth, offsetHeight }, key, fan) {
  card.inert = true;
  card.ariaHidden = "true";
  Object.assign(card.style, {
    position: "absolute",
    left: `${offsetLeft}px`,
    top: `${offsetTop}px`,
    width: `${offsetWidth}px`,
    height: `${offsetHeight}px`,
  });
  fan.append(card);
  const end = () => card.remove();
  move(card, key, true).finished.then(end, end);
}

function onChange([{ target, addedNodes, removedNodes, nextSibling }, other]) {
  const [card] = [...addedNodes, ...removedNodes];
  const isOne = !other && !nextSibling && addedNodes.length + removedNodes.length === 1;
  const key = document.querySelector(`.k[data-card="${card.dataset.key}"]`);
  if (still.matches || !isTap || !isOne || !key) return;
  const { lastElementChild: last, parentElement: fan } = target;
  if (addedNodes.length) requestAnimationFrame(() => card.isConnected && move(card, key, false));
  else if (last) flyBack(card.cloneNode(true), last, key, fan);
}

const observer = new MutationObserver(onChange);

function start() {
  const box = document.querySelector("[data-cards]");
  if (box) observer.observe(box, { childList: true });
}

document.addEventListener(
  "click",
  ({ target }) => {
    isTap = Boolean(target.closest(".k[data-card], [data-erase]"));
  },
  true,
);
document.addEventListener(
  "keydown",
  ({ key }) => {
    isTap = key !== "Enter";
  },
  true,
);
document.addEventListener("htmx:load", start);
start();
