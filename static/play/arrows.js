// The arrow keys move the focus to the nearest button in their direction.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // a step to the side counts as three ahead, which keeps to rows and columns

export function turnTo(form, name, from) {
  const way = WAYS[name];
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  };
  const [x, y] = middle(from);
  let nearest = null;
  let least = Infinity;
  for (const button of form.querySelectorAll("button")) {
    if (button === from || !button.getClientRects().length) continue;
    const [across, down] = middle(button);
    const ahead = (across - x) * way[0] + (down - y) * way[1];
    const aside = Math.abs((across - x) * way[1]) + Math.abs((down - y) * way[0]);
    if (ahead > 1 && ahead + ASIDE * aside < least) [nearest, least] = [button, ahead + ASIDE * aside];
  }
  nearest?.focus();
}
