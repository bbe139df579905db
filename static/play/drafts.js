// Half-entered rounds live on this phone, each under the game and the last event its person had seen.

const STORE = "draft:";

export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(STORE + key));
  } catch {
    return null;
  }
}

export function store(key, draft) {
  try {
    localStorage.setItem(STORE + key, JSON.stringify(draft));
  } catch {
    // A private window without storage still keeps the score.
  }
}

// A sheet names the drafts of its game that are of the past by now. Those behind rounds that wait here are
// ahead of it.
export function sweep() {
  const page = document.querySelector("[data-draft-sweep]");
  if (!page) return;
  const game = STORE + page.dataset.draftSweep;
  const kept = STORE + page.dataset.draftKeep;
  const numberOf = (key) => parseInt(key.slice(game.length), 10);
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(game) && key !== kept && numberOf(key) <= numberOf(kept))
        localStorage.removeItem(key);
    }
  } catch {
    // Nothing is stored, so nothing is old.
  }
}
