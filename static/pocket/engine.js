// The engine: a worker that runs the app itself over a database made of this phone's copy. It answers one
// message after the other: to prepare the bundle, for a page, or for a posted form. What a form records is
// stored before the answer.

import "../offline/box.js";
import { APP, bytesOf, differ, launch, launchWarm, python, start } from "./boot.js";
import { cacheOf } from "./snapshots.js";

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
            data.prepare ? prepare(data, (done) => port.postMessage({ done })) : page(data)
          ),
      )
      .catch((error) => ({ trouble: String(error) }))
      .then((answer) => port.postMessage(answer));
  });
}

const GATEWAY = "scorekeeper.pocket.gateway";
const FILES = ["library.zip", "app.tar"];
const COMPILED = "X-Compiled";
const COMPILING = 0.6; // the share of compiling in the progress
const find = (name) => caches.match(bundle.files[name]);

const read = (name) => find(name).then(bytesOf);

const parts = () => ({
  driver: bundle.files["pyodide.mjs"],
  library: read("library.zip"),
  app: read("app.tar"),
  data: DATA,
  begin: (engine) => python(engine, GATEWAY).begin(engine.toPy(bundle.names), DATA),
});

function use(engine) {
  py = engine;
  gateway = python(py, GATEWAY);
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

// Prepare all that the first page would else wait for: the byte code, a snapshot, and the database. Another
// engine takes over after compiling, because the snapshot would have that memory too, and if this one has
// opened a copy.
async function prepare({ isPlain }, heard) {
  const sources = [];
  for (const name of FILES) if (!(await find(name)).headers.has(COMPILED)) sources.push(name);
  if (sources.length) await compile(sources, (part) => heard(COMPILING * part));
  if (sources.length || py) return { renew: true };
  const copyState = await self.box.get("wanted");
  const hear = (part) => heard(COMPILING + (1 - COMPILING) * part);
  const cache = cacheOf(bundle.release);
  use(await (isPlain ? launch(parts(), cache) : launchWarm(parts(), cache, copyState.language, hear)));
  await open(copyState);
  return { ready: true };
}

// Store byte code in place of the sources.
async function compile(names, heard) {
  const { driver, library, app } = parts();
  const engine = await start(driver, await library, await app, DATA);
  const compiling = python(engine, "scorekeeper.pocket.compiling");
  const ways = { "library.zip": compiling.library, "app.tar": compiling.app };
  const kept = await caches.open(cacheOf(bundle.release));
  for (const [number, name] of names.entries()) {
    engine.FS.writeFile(`/${name}`, await read(name));
    const made = ways[name](`/${name}`, (part) => heard((number + part) / names.length)).toJs();
    await kept.put(bundle.files[name], new Response(made, { headers: { [COMPILED]: "yes" } }));
  }
}

// Answer a page as the site would, with the time of the copy unless the phone has newer facts; with `ahead`,
// only open the database for the pages to come. There is no answer once the copy was removed; for a newer
// copy another engine is started.
async function page({ ahead, address, method = "GET", headers, body = "" }) {
  const copyState = await self.box.get("said");
  if (!copyState) return { away: true };
  if (openedFor && openedFor !== self.box.idOf(copyState)) return { renew: true };
  if (!py) use(await launch(parts(), cacheOf(bundle.release)));
  if (!openedFor) await open(copyState);
  if (ahead) return { ready: true };
  const { origin, pathname, search } = new URL(address);
  const { language, theme, token } = copyState;
  const cookie = `django_language=${language}; theme=${theme}; csrftoken=${token}`;
  const given = py.toPy({ "accept-language": navigator.languages.join(), ...headers, cookie });
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

const isWritten = (before) => differ(before, py.FS.readFile(FILE));

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
