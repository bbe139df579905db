// Measures the present page: returns a sentence for everything that is cut, covered, off the screen or too
// small to tap. `reachable` are selectors of elements that must be entirely on the screen and uncovered, if
// necessary once `scrolled` to. With `large` letters, or `zoomed` to twice its size, the page scrolls as a
// whole. If it is zoomed, a CSS pixel is two pixels of the glass.
({ reachable, scrolled, large, zoomed }) => {
  const problems = [];
  const flows = large || zoomed;
  const wide = document.documentElement.clientWidth;
  const high = window.innerHeight;
  const SLACK = 1;
  const [TARGET, KEY, SHARED, ROUND, LOW_ROUND] = zoomed ? [24, 30, 24, 24, 24] : [48, 60, 32, 34, 23];

  const words = (element) => element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  const named = (element) => `${element.tagName.toLowerCase()}${element.className ? `.${String(element.className).trim().replace(/\s+/g, ".")}` : ""} “${words(element)}”`;
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest(".vh, .skip:not(:focus), option") && getComputedStyle(element).clipPath !== "inset(50%)"; // hidden from sight alone
  const scrolls = (value) => value === "auto" || value === "scroll";
  const ACROSS = flows ? ".across, .score" : ".across"; // scrolled sideways by hand
  const mayScrollSideways = (element) => element.matches(`textarea, ${ACROSS}`) || element.maxLength >= 60 || (flows && element.matches("input"));
  // Anything under a dialog or an open popover is ignored.
  const page = document.querySelector("dialog[open], :popover-open") ?? document.body;
  const elements = [...page.querySelectorAll("*")].filter(isSeen);

  // Nothing overflows its own box, except what scrolls vertically, and cut names that have a title with the
  // whole text.
  for (const element of elements) {
    const style = getComputedStyle(element);
    if (style.display === "inline" || style.display === "contents" || mayScrollSideways(element)) continue;
    if (element.ownerSVGElement) continue; // a drawing has no boxes
    if (element.matches(".c")) continue; // the area that takes the tap is larger than the card
    if (element.matches(".fitted, .fitted > *")) continue; // a name that does not fit is also there in short
    if (element.scrollWidth > element.clientWidth + SLACK && element.clientWidth) {
      const isCutName = element.classList.contains("name") && style.textOverflow === "ellipsis";
      if (!isCutName) problems.push(`cut sideways by ${element.scrollWidth - element.clientWidth}: ${named(element)}`);
      else if (!element.closest("[title]")?.title.includes(element.textContent.trim())) problems.push(`cut name without its title: ${named(element)}`);
    }
    // Letters need only their line, even if the font reserves space above and below them.
    const air = parseFloat(style.fontSize) * 0.25;
    if (element.scrollHeight > element.clientHeight + air && element.clientHeight && !scrolls(style.overflowY)) {
      problems.push(`cut below by ${element.scrollHeight - element.clientHeight}: ${named(element)}`);
    }
  }

  for (const face of page.querySelectorAll(".av")) {
    const { width, height } = face.getBoundingClientRect();
    if (isSeen(face) && Math.abs(width - height) > SLACK) problems.push(`no round face: ${width} × ${height} ${named(face)}`);
  }

  // Returns the part of a box that its ancestors do not clip, or null.
  const visiblePart = (box, element) => {
    let { left, right, top, bottom } = box;
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const edge = around.getBoundingClientRect();
      left = Math.max(left, edge.left); right = Math.min(right, edge.right);
      top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom);
    }
    return right - left > SLACK && bottom - top > SLACK ? { left, right, top, bottom } : null;
  };

  // A sentence with a name stays in one piece: in a flex box or grid its parts would fall apart.
  for (const name of page.querySelectorAll("bdi")) {
    const box = name.parentElement;
    const hasText = [...box.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (hasText && /flex|grid/.test(getComputedStyle(box).display)) {
      problems.push(`a sentence in pieces: “${box.textContent.trim().slice(0, 40)}”`);
    }
  }

  // No two texts, pictures or cards overlap. Only the middle of a line counts, because the space above and
  // below is air. A count of pending items (.dot) may cover the icon of its tab.
  const pieces = [];
  const isCovered = (element) => {
    const name = element.closest(".fitted > .name");
    return name && name.nextElementSibling.offsetTop < name.offsetHeight / 2;
  };
  // The key of a sheet stays in sight over what scrolls below it.
  const isPinned = (element) => {
    const key = element.closest(".sheetover .go");
    return Boolean(key) && getComputedStyle(key).position === "sticky";
  };
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || !element || element.closest("script, option, textarea, .dot") || !isSeen(element) || isCovered(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const size = parseFloat(getComputedStyle(element).fontSize) * 0.7;
    for (const box of range.getClientRects()) {
      const middle = (box.top + box.bottom) / 2;
      const part = visiblePart({ left: box.left, right: box.right, top: middle - size / 2, bottom: middle + size / 2 }, element);
      if (part) pieces.push({ part, node, element, text: node.data.trim().slice(0, 30) });
    }
  }
  for (const element of page.querySelectorAll(".i")) {
    if (!isSeen(element)) continue;
    const part = visiblePart(element.getBoundingClientRect(), element.parentElement);
    if (part) pieces.push({ part, node: element, element, text: element.className });
  }
  pieces.forEach((one, index) => {
    for (const other of pieces.slice(index + 1)) {
      if (one.node === other.node || isPinned(one.element) !== isPinned(other.element)) continue;
      const across = Math.min(one.part.right, other.part.right) - Math.max(one.part.left, other.part.left);
      const down = Math.min(one.part.bottom, other.part.bottom) - Math.max(one.part.top, other.part.top);
      if (across > SLACK && down > SLACK) problems.push(`one over the other: “${one.text}” and “${other.text}”`);
    }
  });

  // No word breaks across lines, except those longer than any line, and text for programs.
  const LONGEST = 14; // letters; every line holds a word of this length,
  const SHARE = 0.6; // and it takes at most this share of the screen
  const rows = new Map();
  for (const { node, element } of pieces) if (node !== element) rows.set(node, (rows.get(node) ?? 0) + 1);
  for (const [node, count] of rows) {
    if (count < 2 || node.parentElement.closest("pre, code, #problems")) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}\p{N}.,]+/gu)) {
      if (word.length > LONGEST) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const parts = [...range.getClientRects()];
      const isLong = parts.reduce((sum, part) => sum + part.width, 0) > SHARE * wide;
      // Words in large letters are checked with the browser's font size, not by zooming a phone to half its
      // width.
      if (!isLong && !zoomed && new Set(parts.map((part) => Math.round(part.top))).size > 1) problems.push(`a broken word: “${word}” in ${named(node.parentElement)}`);
    }
  }

  // Nothing sticks out of the screen, except what scrolls vertically.
  const isInScroller = (element) => {
    for (let around = element.parentElement; around; around = around.parentElement) {
      if (scrolls(getComputedStyle(around).overflowY)) return true;
    }
    return false;
  };
  if (document.documentElement.scrollWidth > wide) problems.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const element of elements) {
    if (element.parentElement.closest(".name, .fitted")) continue; // cut with the name, which has its title
    const box = element.getBoundingClientRect();
    const isInside = box.left >= -SLACK && box.right <= wide + SLACK;
    const isOnIt = (box.top >= -SLACK && box.bottom <= high + SLACK) || flows || isInScroller(element);
    if ((!isInside && !element.closest(ACROSS)) || !isOnIt) problems.push(`out of the screen: ${named(element)}`);
  }

  // On a pad, the open hand cuts no button of the players or the closings in half.
  for (const element of flows ? [] : elements) {
    if (!element.matches(".entry[data-step='hands'] .body > * > button")) continue;
    const cut = element.getBoundingClientRect().bottom - element.closest(".body").getBoundingClientRect().bottom;
    if (cut > SLACK) problems.push(`half cut, by ${Math.round(cut)}: ${named(element)}`);
  }

  // Everything tappable has one of nine looks, by its class or its place.
  const LOOKS = [
    ".btn, .chip, .icon, .skip", // a button, a chip, an icon; a word that acts
    ".ways a, .counted a, .which > summary, .placename, :is(p, dd, dt, small, .grow, .ends) a", // words that act
    ".tile, .tale, a.grow, .menu *, summary, .opt, .asked a, .moves a, .apart, .tick, .playedfor, .pot", // a row
    ".seat, .parties button, .closers a, .lobby a, .whois button, .podium a, .who, .score tfoot button", // a face
    ".seg *, .tabs a", // one of a few
    "input, select, textarea", // a field
    ".k, .c, .cell, .opens, .meld, .card", // a card, a figure
  ].join(", ");
  for (const element of elements) {
    if (element.matches("a[href], button, summary, input:not([type=hidden]), select, textarea") && !element.matches(LOOKS))
      problems.push(`none of the nine looks: ${named(element)}`);
  }

  // The page's purpose is in view without scrolling, or can be scrolled to.
  for (const selector of reachable) {
    const found = [...document.querySelectorAll(selector)].filter(isSeen);
    if (!found.length) problems.push(`missing: ${selector}`);
    for (const element of found) {
      if (flows || scrolled) element.scrollIntoView({ block: "center", inline: "center" });
      const box = element.getBoundingClientRect();
      const isHigher = (flows || scrolled) && box.height > high;
      const isInside = isHigher || (box.top >= 0 && box.left >= 0 && box.bottom <= high + SLACK && box.right <= wide + SLACK);
      const above = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      if (!isInside || !(element.contains(above) || above?.contains(element))) problems.push(`out of reach: ${named(element)}`);
    }
  }

  // A thumb can hit it. Cards in the hand have an area around them that takes the tap. Seven and eight
  // columns share the width of a phone so that every total is visible, and the rounds its height: a row down
  // to 36 px has a target in each cell, and a lower one is a single target, as is the fold of the oldest.
  for (const element of elements) {
    if (!element.matches("a, button:not(.c), summary, select, label.opt, label.chip, .seg label, input:not([type=radio], [type=hidden], .opt > *)")) continue;
    const row = element.closest(".score tbody > tr");
    const whole = row?.querySelector(".opens");
    if (element.matches(".cell") && whole && isSeen(whole)) continue; // the row is measured
    const box = (element.matches(".folds summary") ? row : element).getBoundingClientRect();
    const least = element.matches(".k") ? KEY : TARGET;
    const leastWide = element.matches(":is([data-players='7'], [data-players='8']) :is(.cell, .who)") ? SHARED : TARGET;
    const leastHigh = element.matches(".opens") ? LOW_ROUND : element.matches(".cell") ? ROUND : element.matches(".folds summary") ? SHARED : least;
    if (box.height < leastHigh - 0.5 || box.width < leastWide - 0.5) problems.push(`too small to tap (${Math.round(box.width)} × ${Math.round(box.height)}): ${named(element)}`);
  }
  return problems;
}
