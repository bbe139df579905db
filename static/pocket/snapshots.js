// The snapshot of an engine's memory. It fits only the release that made it, so it is stored in the cache of
// that release's files.

// No site has such files.
const KEY = new URL("snapshot", import.meta.url).href;
const STARTS = new URL("starts", import.meta.url).href;

// The cache of a release's files, on a phone that carries a site.
export const cacheOf = (release) => `pocket-${release}`;

/** @returns {Promise<Uint8Array | null>} */
export async function readSnapshot(cache) {
  const stored = await (await caches.open(cache)).match(KEY);
  return stored ? new Uint8Array(await stored.arrayBuffer()) : null;
}

// Store a snapshot. An empty one says that it was begun: it stays if the engine dies of making it.
/** @param {Uint8Array} [bytes] */
export async function storeSnapshot(cache, bytes) {
  await (await caches.open(cache)).put(KEY, new Response(/** @type {BodyInit} */ (bytes)));
}

// Whether there is a snapshot in this cache, or one was begun.
export const hasSnapshot = async (cache) => Boolean(await (await caches.open(cache)).match(KEY));

// Remove it; resolves to whether there was one, or one was begun.
export const removeSnapshot = async (cache) => (await caches.open(cache)).delete(KEY);

// Count the starts since the last one that ended; resolves to their number.
export async function countStart(cache) {
  const files = await caches.open(cache);
  const count = Number(await (await files.match(STARTS))?.text()) + 1 || 1;
  await files.put(STARTS, new Response(String(count)));
  return count;
}

// A start ended well.
export const endStart = async (cache) => (await caches.open(cache)).delete(STARTS);
