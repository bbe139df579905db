// The leading window: of all windows of this phone it alone owns the engine while it is open, and it answers
// the service worker.

import { stored } from "../base/memory.js";
import "../offline/box.js";

const PATIENCE = 5000;
const LEFT = "pocket-left"; // the release whose engine was put away before its first answer

let engine = null;
let beginning = ""; // the release whose engine has not answered yet
let free = () => {};
/** @type {(answer: Record<string, any>) => void} */
let give = () => {}; // resolves the pending question

// Whether the engine of this release died when it was last started: it is not started again.
export const isDead = async (release) => (await self.box.get("boot")) === release && stored(LEFT) !== release;

// Store that the engine of this release starts, or, with an empty text, that it has answered. A page that is
// killed leaves this entry behind.
async function begins(release) {
  await self.box.put({ boot: release });
  stored(LEFT, null);
  beginning = release;
}

// An engine killed in the background while it started did not die by itself.
document.addEventListener("visibilitychange", () => {
  if (beginning) stored(LEFT, document.hidden ? beginning : null);
});

// Try to lead; resolves to whether this window leads from now on.
export function lead() {
  if (engine) return Promise.resolve(true);
  return new Promise((resolve) => {
    /** @returns {Promise<void>} */
    const held = () => {
      resolve(true);
      return new Promise((release) => {
        free = release;
      });
    };
    const signal = AbortSignal.timeout(PATIENCE);
    navigator.locks.request("pocket", { signal }, held).catch(() => resolve(false));
  });
}

export function end() {
  engine?.terminate();
  engine = null;
  if (beginning) stored(LEFT, beginning);
  beginning = "";
  give({ trouble: "it was ended" });
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
  if (await isDead(release)) return null;
  if (!engine) {
    await begins(release);
    engine = new Worker(worker, { type: "module" });
    addEventListener("pagehide", end);
  }
  const answer = await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    give = resolve;
    engine.onerror = () => resolve({ trouble: "it died", isDead: true });
    port1.onmessage = ({ data }) => (data.done ? heard?.(data.done) : resolve(data));
    engine.postMessage(question, [port2]);
  });
  if (beginning && !answer.isDead) await begins("");
  if (answer.renew || answer.isDead) {
    engine?.terminate();
    engine = null;
  }
  if (answer.renew) return askNow({ worker, release }, question, heard);
  return answer.trouble || answer.away ? null : answer;
}

// Answer the service worker while this window leads, and lead on request. Listeners last as long as the
// document, so the page that replaces the shell calls this again.
export function serve() {
  navigator.serviceWorker.onmessage = async ({ data, ports: [port] }) => {
    if (!data.pocket) return;
    const isMine = Boolean(engine) || (data.pocket.begins && (await lead()));
    // Only after the worker has confirmed in time: otherwise it asks another window, and the form would be
    // recorded twice.
    port.onmessage = async () =>
      port.postMessage({ answer: await ask(await self.box.get("said"), data.pocket) });
    port.postMessage({ isMine: Boolean(isMine) });
  };
  navigator.serviceWorker.startMessages();
  addEventListener("pagehide", end);
}
