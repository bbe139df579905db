// The window that leads: it alone of all windows of this phone owns the engine, for as long as it is open,
// and what the service worker asks for is answered there.

import { stored } from "../base/memory.js";
import "./box.js";

const PATIENCE = 5000;
const LEFT = "pocket-left"; // the release whose engine was begun, and left before it had answered

let engine = null;
let beginning = ""; // the release that has not answered yet
let free = () => {};
/** @type {(answer: Record<string, any>) => void} */
let give = () => {}; // to the question that waits

// Whether the engine of this release died the last time it was begun: it is not tried again.
export const isDead = async (release) => (await self.box.get("boot")) === release && stored(LEFT) !== release;

// That the engine of this release begins, or that one has answered. What is killed a moment later finds that
// still so.
async function begins(release) {
  await self.box.put({ boot: release });
  stored(LEFT, null);
  beginning = release;
}

// What is put away while it begins, and killed there, did not die of it.
document.addEventListener("visibilitychange", () => {
  if (beginning) stored(LEFT, document.hidden ? beginning : null);
});

// Whether this window leads from now on.
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

// What the engine answers; null where it is in trouble. What it has done meanwhile is heard. One question
// after the other: an engine that gives way to another one answers none that it was asked.
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

// Answers the service worker for as long as this window leads, and leads where it is asked to; the window's
// own listeners last as long as its document, so a page that takes the place of the shell asks for it again.
export function serve() {
  navigator.serviceWorker.onmessage = async ({ data, ports: [port] }) => {
    if (!data.pocket) return;
    const isMine = Boolean(engine) || (data.pocket.begins && (await lead()));
    // Only once that was heard in time: else another window is asked, and nothing is done twice.
    port.onmessage = async () =>
      port.postMessage({ answer: await ask(await self.box.get("said"), data.pocket) });
    port.postMessage({ isMine: Boolean(isMine) });
  };
  navigator.serviceWorker.startMessages();
  addEventListener("pagehide", end);
}
