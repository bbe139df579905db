// What scripts remember: of an element as long as it stands, and on this phone from page to page.

/**
 * Gives what is known of an element: at first what `begin` makes of it.
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

// What is stored under this key; with a value that is stored, with null nothing is any more.
export function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A private window remembers nothing.
  }
  return null;
}

// Forgets the keys this is so of.
export function unstore(isOld) {
  try {
    for (const key of Object.keys(localStorage)) if (isOld(key)) localStorage.removeItem(key);
  } catch {
    // Nothing is stored, so nothing stays.
  }
}
