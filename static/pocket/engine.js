// The engine: a worker in which the app itself runs, over a database made of the copy this phone keeps. It
// answers one message after the other: what is to be prepared, or the page that is asked for.

import "./box.js";

const APP = "/app";
const DATA = "/data";
const FILE = `${DATA}/db.sqlite3`;

let told; // what the site says of this bundle
let py;
let gateway; // of Python's
let opened = ""; // the tag of the copy in the database
let at = ""; // and when it was so
/** @type {Promise<any>} */
let turn = Promise.resolve();

/**
 * @param {{ release: string, files: Record<string, string>, names: Record<string, string> }} bundle
 */
export function begin(bundle) {
  told = bundle;
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
const find = (name) => caches.match(told.files[name]);
const bytesOf = async (found) => new Uint8Array(await found.arrayBuffer());

async function boot() {
  const { loadPyodide } = await import(told.files["pyodide.mjs"]);
  const [library, app] = await Promise.all(
    ["library.zip", "app.tar"].map(find).map(async (found) => bytesOf(await found)),
  );
  const stdLibURL = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (library)]));
  py = await loadPyodide({ stdLibURL, env: { HOME: DATA, PYTHONTZPATH: `${APP}/zoneinfo` } });
  URL.revokeObjectURL(stdLibURL);
  unpack(app);
  py.FS.mkdirTree(DATA);
  python("sys").path.insert(0, APP);
  gateway = python("scorekeeper.pocket.gateway");
  gateway.begin(py.toPy(told.names), DATA);
}

// Python would take ten times as long for it.
function unpack(tar) {
  const text = new TextDecoder();
  const made = new Set();
  const field = (start, length) => {
    const found = tar.subarray(start, start + length);
    const end = found.indexOf(0);
    return text.decode(end < 0 ? found : found.subarray(0, end));
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

// Opens the copy: as it was made into a database before, or now, once for as long as it is the newest.
async function open(said) {
  let book = await self.box.get("book");
  if (book?.etag !== said.etag || book.release !== told.release) book = await make(said, book);
  else py.FS.writeFile(FILE, book.bytes);
  gateway.hold(book.whose);
  opened = said.etag;
  at = book.etag === said.etag ? said.at : book.at;
}

// A copy that this release cannot read leaves the one before it.
async function make(said, before) {
  try {
    py.FS.writeFile(FILE, py.FS.readFile(`${APP}/empty.sqlite3`));
    const whose = gateway.unpack(await self.box.get("copy"));
    const { etag } = said;
    const book = { etag, whose, release: told.release, at: said.at, bytes: py.FS.readFile(FILE) };
    await self.box.put({ book });
    return book;
  } catch (error) {
    if (before?.release !== told.release) throw error;
    py.FS.writeFile(FILE, before.bytes);
    return before;
  }
}

// Compiles what came as sources, keeps that in its place, and makes the copy into a database: what a first
// page would wait for.
async function prepare(heard) {
  await boot();
  const compiling = python("scorekeeper.pocket.compiling");
  const ways = [
    ["library.zip", compiling.library],
    ["app.tar", compiling.app],
  ];
  for (const [number, [name, compile]] of ways.entries()) {
    const found = await find(name);
    if (found.headers.has(COMPILED)) continue;
    py.FS.writeFile(`/${name}`, await bytesOf(found));
    const made = compile(`/${name}`, (part) => heard((number + part) / ways.length)).toJs();
    const kept = await caches.open(`pocket-${told.release}`);
    await kept.put(told.files[name], new Response(made, { headers: { [COMPILED]: "yes" } }));
  }
  await open(await self.box.get("wanted"));
  return { ready: true };
}

// A page as the site would answer it, saying when it was so. Nothing is answered once the copy was taken
// away, and a newer one is opened by another engine.
async function page({ address, headers }) {
  const said = await self.box.get("said");
  if (!said) return { away: true };
  if (opened && opened !== said.etag) return { renew: true };
  if (!py) await boot();
  if (!opened) await open(said);
  const { origin, pathname, search } = new URL(address);
  const cookie = `django_language=${said.language}; theme=${said.theme}`;
  const given = py.toPy({ "accept-language": said.language, ...headers, cookie });
  const answer = gateway.serve(decodeURIComponent(pathname), search.slice(1), given, origin);
  if (!answer) return { away: true };
  const [status, sent, content] = answer.toJs();
  answer.destroy();
  const isPage = sent.some(([name, value]) => name === "Content-Type" && value.startsWith("text/html"));
  if (!isPage) return { status, headers: sent, content };
  const html = new TextDecoder().decode(content).replace("<main ", `<main data-seen="${at}" `);
  return { status, headers: sent, content: html };
}
