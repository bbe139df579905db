// The engine of a folder without a site: a worker that runs the app over the only copy of the tables. It
// answers one message after the other. What a form records is on the disk before the answer.

import { APP, bytesOf, differ, launch, python } from "./boot.js";
import { folder, Overtaken, read, write } from "./store.js";

const DATA = "/data";
const FILE = `${DATA}/db.sqlite3`;
const GATEWAY = "scorekeeper.alone.gateway";
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

const fetched = async (name) => bytesOf(await fetch(folder + bundle.files[name]));

const parts = () => ({
  driver: new URL(folder + bundle.files["pyodide.mjs"], self.location.href).href,
  library: fetched("library.zip"),
  app: fetched("app.tar"),
  data: DATA,
  begin: (engine) =>
    python(engine, GATEWAY).begin(engine.toPy(bundle.names), DATA, decodeURIComponent(folder)),
});

async function boot() {
  const engine = await launch(parts());
  kept = (await read()) ?? { release: bundle.release, cookies: {} };
  engine.FS.writeFile(FILE, kept.bytes ?? engine.FS.readFile(`${APP}/empty.sqlite3`));
  gateway = python(engine, GATEWAY);
  // The database of another release is kept only after this one has opened and checked it.
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
    gateway.shut();
    if (error instanceof Overtaken) return catchUp(question);
    py.FS.writeFile(FILE, before); // the disk is full: nothing was recorded, and the answer says so
    return { status: FULL, headers: [], content: String(error) };
  }
}

// Another window took the lead and stored something: answer with that. The form says what it has seen.
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
