// State of scripts: per element while it exists, and in localStorage across pages. In a folder without a site
// the keys begin with its path, since other folders may have the same origin.

const [, root] = /[^:/]\/(.*)static/.exec(import.meta.url); // empty for a site

/**
 * Returns a function that gives the state of an element, created by `begin` at the first call.
 * @template T
 * @param {(element: any) => T} begin
 * @returns {(element: any) => T}
 */
export function memory(begin) {
  const known = new WeakMap();
  return (element) => known.get(element) ?? known.set(element, begin(element)).get(element);
}

// Returns the stored value of this key. With a value, stores it; with null, removes it.
export function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(root + key);
    if (value === null) localStorage.removeItem(root + key);
    else localStorage.setItem(root + key, value);
  } catch {
    // A private window may deny storage.
  }
  return null;
}

function storedKeys() {
  try {
    return Object.keys(localStorage).map((key) => key.replace(root, ""));
  } catch {
    return []; // no storage
  }
}

// Removes the keys that match isOld.
export function unstore(isOld) {
  for (const key of storedKeys()) if (isOld(key)) stored(key, null);
}

// Assigns drafts of version 1.0.0, whose keys have no person, to the person that the phone knows.
export function nameDrafts() {
  const person = stored("person");
  if (!person) return;
  unstore((key) => {
    const isNameless = /^draft:\w+:\d+$/.test(key);
    if (isNameless) stored(key.replace(":", `:${person}:`), stored(key));
    return isNameless;
  });
}

// Returns the keys of a person's half-entered rounds.
export const drafts = (person) => storedKeys().filter((key) => key.startsWith(`draft:${person}:`));
