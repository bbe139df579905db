// The start of Python in a worker, with the app's files.

export const APP = "/app";

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
 * Start Python with the app set up.
 * @param {App} app
 */
export async function launch({ driver, library, app, data, begin }) {
  const { loadPyodide } = await moduleAt(driver);
  const stdLibURL = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (await library)]));
  const env = { HOME: data, PYTHONTZPATH: `${APP}/zoneinfo` };
  const py = await loadPyodide({ stdLibURL, env });
  URL.revokeObjectURL(stdLibURL);
  py.FS.mkdirTree(data);
  unpack(py, await app);
  python(py, "sys").path.insert(0, APP);
  begin(py);
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
