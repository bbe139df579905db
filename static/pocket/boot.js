// The start of Python in a worker, with the app's files. Shared by the engine of a phone that carries a site
// and by that of a folder without one.
//
// An engine is launched from its files, or in a third of the time from a snapshot: the memory of an engine
// that was set up and has rendered pages (scorekeeper/pocket/warming.py).

import { countStart, hasSnapshot, readSnapshot, removeSnapshot, storeSnapshot } from "./snapshots.js";

export const APP = "/app";
const WARMING = "scorekeeper.pocket.warming";
const STARTS = 2; // that may begin and not end before a snapshot is given up

/**
 * The files of the app, and the function that sets up Django in them, without opening a database.
 * @typedef {object} App
 * @property {string} driver the address of Pyodide's module
 * @property {Promise<Uint8Array>} library a zip file
 * @property {Promise<Uint8Array>} app a tar file
 * @property {string} data the folder of the database
 * @property {(py: any) => void} begin
 */

// Its own function, since collectstatic takes `import(` before a text for an address.
export const python = (py, name) => py.pyimport(name);
const moduleAt = (address) => import(address);

export const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

/**
 * Start Python with the app set up: from the snapshot in this cache, or else from its files. A snapshot that
 * cannot be restored is removed.
 * @param {App} app
 * @param {string} cache
 */
export async function launch(app, cache) {
  const snapshot = await readSnapshot(cache);
  if (!snapshot?.length) return setUp(app);
  try {
    return await restore(app, snapshot);
  } catch {
    await removeSnapshot(cache);
    return setUp(app);
  }
}

/**
 * Start Python with the app set up, and store a snapshot of it. If that fails, as without room, there is
 * none. To be called before any person's data is opened.
 * @param {App} app
 * @param {string} cache
 * @param {string} language of the pages that are rendered once
 * @param {(part: number) => void} heard gets the progress
 */
export async function launchWarm(app, cache, language, heard) {
  try {
    await storeSnapshot(cache);
    const py = await setUp(app, { _makeSnapshot: true });
    const warming = python(py, WARMING);
    warming.warm(language, heard);
    warming.destroy();
    await storeSnapshot(cache, py.makeMemorySnapshot());
    return py;
  } catch {
    await removeSnapshot(cache);
    return setUp(app);
  }
}

/**
 * Start Python from the snapshot in this cache, or from its files with a snapshot for the next start. Two
 * starts that did not end, as when the engine dies of its memory, leave this cache without one.
 * @param {App} app
 * @param {string} cache
 * @param {string} language of the pages that are rendered once
 */
export async function launchAgain(app, cache, language) {
  if ((await countStart(cache)) > STARTS) await storeSnapshot(cache);
  return (await hasSnapshot(cache)) ? launch(app, cache) : launchWarm(app, cache, language, () => {});
}

async function setUp({ driver, library, app, data, begin }, options = {}) {
  const py = await start(driver, await library, await app, data, options);
  begin(py);
  return py;
}

// The memory gets its size before Pyodide copies the snapshot into it.
async function restore({ driver, library, app, data }, snapshot) {
  const { default: create } = await moduleAt(new URL("pyodide.asm.mjs", new URL(driver, self.location.href)));
  const { length } = snapshot; // a function that Pyodide keeps must not refer to the snapshot itself
  const py = await load(driver, await library, data, {
    _loadSnapshot: snapshot,
    async createPyodideModule(settings) {
      const engine = await create(settings);
      engine.growMemory(length);
      return engine;
    },
  });
  py._api.config._loadSnapshot = null;
  unpack(py, await app);
  python(py, WARMING).wake();
  return py;
}

/**
 * Start Python; resolves to it once it can import the app.
 * @param {string} driver the address of Pyodide's module
 * @param {Uint8Array} library a zip file
 * @param {Uint8Array} app a tar file
 * @param {string} data the folder of the database
 */
export async function start(driver, library, app, data, options = {}) {
  const py = await load(driver, library, data, options);
  unpack(py, app);
  python(py, "sys").path.insert(0, APP);
  return py;
}

async function load(driver, library, data, options) {
  const { loadPyodide } = await moduleAt(driver);
  const stdLibURL = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (library)]));
  const env = { HOME: data, PYTHONTZPATH: `${APP}/zoneinfo` };
  const py = await loadPyodide({ stdLibURL, env, ...options });
  URL.revokeObjectURL(stdLibURL);
  py.FS.mkdirTree(data);
  return py;
}

// Whether a database was written: SQLite counts that in its first page.
export const differ = (before, now) => [24, 25, 26, 27].some((place) => now[place] !== before[place]);

// In JavaScript: Python would take ten times as long.
function unpack(py, tar) {
  const text = new TextDecoder();
  const made = new Set();
  const field = (start, length) => {
    const bytes = tar.subarray(start, start + length);
    const end = bytes.indexOf(0);
    return text.decode(end < 0 ? bytes : bytes.subarray(0, end));
  };
  for (let head = 0; tar[head]; ) {
    const name = [APP, field(head + 345, 155), field(head, 100)].filter(Boolean).join("/");
    const size = Number.parseInt(field(head + 124, 12), 8);
    const folder = name.slice(0, name.lastIndexOf("/"));
    if (!made.has(folder)) py.FS.mkdirTree(folder);
    made.add(folder);
    py.FS.writeFile(name, tar.subarray(head + 512, head + 512 + size), { canOwn: true });
    head += 512 + Math.ceil(size / 512) * 512;
  }
}
