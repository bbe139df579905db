// State of scripts: per element while it exists, and in localStorage from page to page.

/**
 * Returns a function that gives the state of an element, created by `begin` at the first call.
 * @template T
 * @param {(element: any) => T} begin
 * @returns {(element: any) => T}
 */
export function memory(begin) {
  const known = new WeakMap();
  return (element) => {
    if (!known.has(element)) known.set(element, begin(element));
    return known.get(element);
  };
}

// Returns the stored value of this key; with a value, stores it, and with null, removes it.
export function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A private window may refuse storage.
  }
  return null;
}

// Removes the keys for which isOld is true.
export function unstore(isOld) {
  try {
    for (const key of Object.keys(localStorage)) if (isOld(key)) localStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to remove.
  }
}
