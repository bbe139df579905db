// The leading window: of all windows of this phone it alone owns the engine while it is open, and it answers
// the service worker.

import { stored } from "../base/memory.js";
import "../offline/box.js";
import { cacheOf, hasSnapshot, removeSnapshot } from "./snapshots.js";

const PATIENCE = 5000;
const LEFT = "pocket-left"; // the release whose engine was put away before its first answer

let engine = null;
let beginning = ""; // the release whose engine has not answered yet
/** @type {Promise<boolean> | null} */
let leading = null; // whether this window leads, once the lock was requested
let isLeader = false;
let free = () => {};
/** @type {(answer: Record<string, any>) => void} */
let give = () => {}; // resolves the pending question

// Whether the engine of this release died when it was last started.
const hasDied = async (release) => (await self.box.get("boot")) === release && stored(LEFT) !== release;

// Whether it is not started again: it died without a snapshot, too.
export const isDead = async (release) => (await hasDied(release)) && !(await hasSnapshot(cacheOf(release)));

// Store that the engine of this release starts, and return whether the page is still open. A page that is
// killed leaves this entry behind. Until the engine runs, the release also counts as put away: otherwise a
// page left in between would leave it dead.
async function begins(release) {
  beginning = release;
  stored(LEFT, release);
  await self.box.put({ boot: release });
  if (!beginning) return false;
  stored(LEFT, document.hidden ? release : null);
  return true;
}

async function hasBegun() {
  await self.box.put({ boot: "" });
  stored(LEFT, null);
  beginning = "";
}

// An engine killed in the background while it started did not die by itself.
document.addEventListener("visibilitychange", () => {
  if (beginning) stored(LEFT, document.hidden ? beginning : null);
});

/**
 * Try to lead; resolves to whether this window leads from now on. The lock is requested once: a second
 * request of the same window would wait for its first one.
 * @returns {Promise<boolean>}
 */
export function lead() {
  if (leading) return leading;
  const request = requested().then((isGranted) => {
    if (leading !== request) return false; // it ended meanwhile
    isLeader = isGranted;
    if (!isGranted) leading = null;
    return isGranted;
  });
  leading = request;
  return request;
}

// Request the lock; resolves to whether it was granted. `free` releases it, or ends the request.
function requested() {
  const control = new AbortController();
  setTimeout(() => control.abort(), PATIENCE); // without effect once it is granted
  return new Promise((resolve) => {
    free = () => control.abort();
    /** @returns {Promise<void>} */
    const held = () => {
      if (control.signal.aborted) return Promise.resolve();
      resolve(true);
      return new Promise((release) => {
        free = release;
      });
    };
    navigator.locks.request("pocket", { signal: control.signal }, held).catch(() => resolve(false));
  });
}

export function end() {
  engine?.terminate();
  engine = null;
  if (beginning) stored(LEFT, beginning);
  beginning = "";
  give({ trouble: "it was ended" });
  isLeader = false;
  leading = null;
  free();
}

/** @type {Promise<any>} */
let turn = Promise.resolve();

// The answer of the engine; null if it failed. `heard` gets its progress. Questions are asked one after the
// other, since an engine that is replaced drops its pending questions.
export function ask(copyState, question, heard) {
  turn = turn.then(() => copyState && askNow(copyState, question, heard));
  return turn;
}

async function askNow({ worker, release }, question, heard) {
  // The snapshot may be what it died of: it is started once more, without.
  const isPlain = await hasDied(release);
  if (isPlain && !(await removeSnapshot(cacheOf(release)))) return null;
  if (!engine) {
    if (!(await begins(release))) return null;
    engine = new Worker(worker, { type: "module" });
    addEventListener("pagehide", end);
  }
  const answer = await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    give = resolve;
    engine.onerror = () => resolve({ trouble: "it died", isDead: true });
    port1.onmessage = ({ data }) => (data.done ? heard?.(data.done) : resolve(data));
    engine.postMessage({ ...question, isPlain }, [port2]);
  });
  if (answer.isDead) beginning = "";
  else if (beginning) await hasBegun();
  if (answer.renew || answer.isDead) {
    engine?.terminate();
    engine = null;
  }
  if (answer.renew) return askNow({ worker, release }, question, heard);
  return answer.trouble || answer.away ? null : answer;
}

// Start the engine before it is asked for. After a crash it waits until it is needed.
export async function startAhead(copyState) {
  if (navigator.connection?.saveData || (await hasDied(copyState.release))) return;
  if (await lead()) await ask(copyState, { ahead: true });
}

// Answer the service worker while this window leads, and lead on request. Listeners last as long as the
// document, so the page that replaces the shell calls this again.
export function serve() {
  navigator.serviceWorker.onmessage = async ({ data, ports: [port] }) => {
    if (!data.pocket) return;
    const { begins: isToLead, isLeft } = data.pocket;
    const isMine = isLeft ? engine && !beginning : isLeader || (isToLead && (await lead()));
    // Only after the worker has confirmed in time: otherwise it asks another window, and the form would be
    // recorded twice.
    port.onmessage = async () =>
      port.postMessage({ answer: await ask(await self.box.get("said"), data.pocket) });
    port.postMessage({ isMine: Boolean(isMine) });
  };
  navigator.serviceWorker.startMessages();
  addEventListener("pagehide", end);
}
