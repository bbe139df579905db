// The engine: a worker that runs the app itself over a database made of this phone's copy. It answers one
// message after the other: to prepare the bundle, for a page, or for a posted form. What a form records is
// stored before the answer.

import "../offline/box.js";

const APP = "/app";
const DATA = "/data";
const FILE = `${DATA}/db.sqlite3`;
const FULL = 507;

let bundle; // its description by the site
let py;
let gateway; // a Python module
/** @type {Record<string, any>} */
let book = null; // the description of the database, which is made of a copy and the facts since
let openedFor = ""; // the copy that the database was opened for
/** @type {Promise<any>} */
let turn = Promise.resolve();

/**
 * @param {{ release: string, files: Record<string, string>, names: Record<string, string> }} description
 */
export function begin(description) {
  bundle = description;
  self.addEventListener("message", ({ data, ports: [port] }) => {
    turn = turn
      .then(
        () =>
          /** @type {Promise<any>} */ (
            data.prepare ? prepare((done) => port.postMessage({ done })) : page(data)
          ),
      )
      .catch((error) => ({ trouble: String(error) }))
      .then((answer) => port.postMessage(answer));
  });
}

const python = (name) => py.pyimport(name);

const COMPILED = "X-Compiled";
const find = (name) => caches.match(bundle.files[name]);
const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

async function boot() {
  const { loadPyodide } = await import(bundle.files["pyodide.mjs"]);
  const [library, app] = await Promise.all(
    ["library.zip", "app.tar"].map(find).map(async (file) => bytesOf(await file)),
  );
  const stdLibURL = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (library)]));
  py = await loadPyodide({ stdLibURL, env: { HOME: DATA, PYTHONTZPATH: `${APP}/zoneinfo` } });
  URL.revokeObjectURL(stdLibURL);
  unpack(app);
  py.FS.mkdirTree(DATA);
  python("sys").path.insert(0, APP);
  gateway = python("scorekeeper.pocket.gateway");
  gateway.begin(py.toPy(bundle.names), DATA);
}

// In JavaScript: Python would take ten times as long.
function unpack(tar) {
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
    py.FS.writeFile(name, tar.subarray(head + 512, head + 512 + size));
    head += 512 + Math.ceil(size / 512) * 512;
  }
}

// Open the database of the copy and the facts since: the stored one, or a new one if the copy is newer.
async function open(copyState) {
  const kept = await self.box.get("book");
  const isSame = kept?.of === self.box.idOf(copyState) && kept.release === bundle.release;
  const current = isSame ? kept : await make(copyState, kept);
  if (current === kept) py.FS.writeFile(FILE, kept.bytes);
  gateway.hold(current.whose);
  const { bytes, ...about } = current;
  book = about;
  openedFor = self.box.idOf(copyState);
}

// Make the database. If this release cannot read the copy, the database before it stays.
async function make(copyState, before) {
  const { facts } = await self.box.unsent(copyState.person);
  try {
    py.FS.writeFile(FILE, py.FS.readFile(`${APP}/empty.sqlite3`));
    const whose = gateway.unpack(await self.box.get("copy"), JSON.stringify(facts));
    const about = { of: self.box.idOf(copyState), at: copyState.at, release: bundle.release, whose };
    const made = { ...about, bytes: py.FS.readFile(FILE) };
    await self.box.put({ book: made });
    return made;
  } catch (error) {
    if (before?.release !== bundle.release) throw error;
    gateway.shut();
    return before;
  }
}

// Compile the sources, store the byte code in their place, and make the database, so that the first page
// need not wait for it.
async function prepare(heard) {
  await boot();
  const compiling = python("scorekeeper.pocket.compiling");
  const ways = [
    ["library.zip", compiling.library],
    ["app.tar", compiling.app],
  ];
  for (const [number, [name, compile]] of ways.entries()) {
    const file = await find(name);
    if (file.headers.has(COMPILED)) continue;
    py.FS.writeFile(`/${name}`, await bytesOf(file));
    const made = compile(`/${name}`, (part) => heard((number + part) / ways.length)).toJs();
    const kept = await caches.open(`pocket-${bundle.release}`);
    await kept.put(bundle.files[name], new Response(made, { headers: { [COMPILED]: "yes" } }));
  }
  await open(await self.box.get("wanted"));
  return { ready: true };
}

// Answer a page as the site would, with the time of the copy unless the phone has newer facts. There is no
// answer once the copy was removed; for a newer copy another engine is started.
async function page({ address, method = "GET", headers, body = "" }) {
  const copyState = await self.box.get("said");
  if (!copyState) return { away: true };
  if (openedFor && openedFor !== self.box.idOf(copyState)) return { renew: true };
  if (!py) await boot();
  if (!openedFor) await open(copyState);
  const { origin, pathname, search } = new URL(address);
  const { language, theme, token } = copyState;
  const cookie = `django_language=${language}; theme=${theme}; csrftoken=${token}`;
  const given = py.toPy({ "accept-language": language, ...headers, cookie });
  const before = method === "POST" && py.FS.readFile(FILE);
  const answer = gateway.serve(method, decodeURIComponent(pathname), search.slice(1), given, origin, body);
  if (!answer) return { away: true };
  const [status, sent, content] = answer.toJs();
  answer.destroy();
  const trouble = before && isWritten(before) && (await save(copyState.person, before));
  if (trouble) return trouble;
  const isPage = sent.some(([name, value]) => name === "Content-Type" && value.startsWith("text/html"));
  if (!isPage) return { status, headers: sent, content };
  const html = new TextDecoder().decode(content);
  const seen = self.box.isOwn(copyState, pathname) ? "" : `data-seen="${book.at}" data-copy `;
  return { status, headers: sent, content: html.replace("<main ", `<main ${seen}`) };
}

// SQLite counts in its first page how often the file was written.
const isWritten = (before) => {
  const now = py.FS.readFile(FILE);
  return [24, 25, 26, 27].some((place) => now[place] !== before[place]);
};

// Store the database and the unsent facts together. If that fails nothing was recorded, and the answer says
// so.
async function save(person, before) {
  const key = self.box.keyOf(person);
  try {
    const { facts, places } = JSON.parse(gateway.unsent());
    const kept = { ...book, bytes: py.FS.readFile(FILE) };
    const isKept = await self.box.change(["said", key], (copyState, unsent) =>
      copyState && self.box.idOf(copyState) === openedFor
        ? { said: { ...copyState, places }, book: kept, [key]: { held: [], ...unsent, facts } }
        : null,
    );
    return isKept ? null : { renew: true }; // a newer copy came: repeat with that one
  } catch (error) {
    gateway.shut();
    py.FS.writeFile(FILE, before);
    return { status: FULL, headers: [], content: String(error) };
  }
}
