// The engine of a folder without a site: a worker that runs the app over the only copy of the tables. It
// answers one message after another. A recorded form is on disk before the answer.

import { folder, Overtaken, read, write } from "./store.js";

const APP = "/app";
const DATA = "/data";
const FILE = `${DATA}/db.sqlite3`;
const FULL = 507;

let bundle; // the release, the addresses of its files, and the hashed names of the static files
let py;
let gateway; // a Python module
/** @type {import("./store.js").Kept} what the store has */
let kept;
/** @type {Promise<any>} */
let turn = Promise.resolve();

export function begin(description) {
  bundle = description;
  self.addEventListener("message", ({ data, ports: [port] }) => {
    turn = turn
      .then(() => page(data))
      .catch((error) => ({ trouble: String(error) }))
      .then((answer) => port.postMessage(answer));
  });
}

// Tell the window how much of the start is done, as a fraction.
const step = (share) => self.postMessage(share);
const fetched = async (name) =>
  new Uint8Array(await (await fetch(folder + bundle.files[name])).arrayBuffer());

// Start Python and set up the app.
async function launch() {
  const app = fetched("app.tar");
  const library = fetched("library.zip");
  const { loadPyodide } = await import(
    new URL(folder + bundle.files["pyodide.mjs"], self.location.href).href
  );
  const stdLibURL = URL.createObjectURL(new Blob([await library]));
  step(0.1);
  const env = { HOME: DATA, PYTHONTZPATH: `${APP}/zoneinfo` };
  const engine = await loadPyodide({ stdLibURL, env, lockFileContents: bundle.lock });
  URL.revokeObjectURL(stdLibURL);
  step(0.5);
  engine.FS.mkdirTree(DATA);
  unpack(engine.FS, await app);
  engine.pyimport("sys").path.insert(0, APP);
  step(0.6);
  gateway = engine.pyimport("scorekeeper.serverless.gateway");
  gateway.begin(engine.toPy(bundle.names), DATA, decodeURIComponent(folder));
  step(0.9);
  return engine;
}

// In JavaScript, because Python would take ten times as long.
function unpack(files, tar) {
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
    if (!made.has(folder)) files.mkdirTree(folder);
    made.add(folder);
    files.writeFile(name, tar.subarray(head + 512, head + 512 + size), { canOwn: true });
    head += 512 + Math.ceil(size / 512) * 512;
  }
}

async function boot() {
  const engine = await launch();
  kept = (await read()) ?? { release: bundle.release, cookies: {} };
  engine.FS.writeFile(FILE, kept.bytes ?? engine.FS.readFile(`${APP}/empty.sqlite3`));
  // Store the database under this release only after it was opened and checked.
  if (kept.release !== bundle.release) {
    const problems = gateway.upgrade(self.navigator.languages.join(",")).toJs();
    if (problems.length) throw new Error(problems.join("\n"));
    await replace({ release: bundle.release, bytes: engine.FS.readFile(FILE) });
  }
  py = engine;
}

async function replace(changes) {
  const changed = { ...kept, ...changes, saves: (kept.saves ?? 0) + 1 };
  await write(changed, kept.saves);
  kept = changed;
}

// Whether the database was written: SQLite counts writes in its first page.
const differ = (before, now) => [24, 25, 26, 27].some((place) => now[place] !== before[place]);

async function page(question) {
  if (!py) await boot();
  const before = py.FS.readFile(FILE);
  const { cookies, ...answer } = serve(question);
  const bytes = py.FS.readFile(FILE);
  if (!differ(before, bytes) && !Object.keys(cookies).length) return answer;
  try {
    await replace({ bytes, cookies: { ...kept.cookies, ...cookies } });
    return answer;
  } catch (error) {
    gateway.close();
    if (error instanceof Overtaken) return catchUp(question);
    py.FS.writeFile(FILE, before); // the disk is full: nothing was recorded, and the answer says so
    return { status: FULL, headers: [], content: String(error) };
  }
}

// Another window took the lead and stored something: answer with that data. The form has the version it saw.
async function catchUp(question) {
  const newest = await read();
  if (newest?.release !== bundle.release) throw new Error("another release has the tables now");
  kept = newest;
  py.FS.writeFile(FILE, kept.bytes);
  return page(question);
}

function serve({ address, method = "GET", headers, body, kind = "" }) {
  const { origin, pathname, search } = new URL(address);
  const cookie = Object.entries(kept.cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
  const path = `/${decodeURIComponent(pathname.slice(folder.length))}`;
  const answer = gateway.serve(
    ...[method, path, search.slice(1), py.toPy({ ...headers, cookie }), origin],
    py.toPy(new Uint8Array(body ?? 0)).tobytes(),
    kind,
  );
  const [status, sent, content, cookies] = answer.toJs({ dict_converter: Object.fromEntries });
  answer.destroy();
  return { status, headers: sent, content, cookies };
}
