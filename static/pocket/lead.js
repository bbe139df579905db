// The window that leads: it alone of all windows of this phone owns the engine, for as long as it is open,
// and what the service worker asks for is answered there.

import { stored } from "../base/memory.js";

const PATIENCE = 5000;
const BOOT = "pocket-boot"; // the release whose engine was begun and has not answered yet

let engine = null;
let free = () => {};

// Whether the engine of this release died the last time it was begun: it is not tried again.
export const isDead = (release) => stored(BOOT) === release;

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
  stored(BOOT, null);
  free();
}

// What the engine answers; null where it is in trouble. What it has done meanwhile is heard.
export async function ask({ worker, release }, question, heard) {
  if (isDead(release)) return null;
  if (!engine) {
    stored(BOOT, release);
    engine = new Worker(worker, { type: "module" });
    addEventListener("pagehide", end);
  }
  const answer = await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    engine.onerror = () => resolve({ trouble: "it did not begin" });
    port1.onmessage = ({ data }) => (data.done ? heard?.(data.done) : resolve(data));
    engine.postMessage(question, [port2]);
  });
  stored(BOOT, null);
  if (answer.renew) {
    engine.terminate();
    engine = null;
    return ask({ worker, release }, question, heard);
  }
  return answer.trouble || answer.away ? null : answer;
}

// Answers the service worker for as long as this window leads; the window's own listeners last as long as its
// document, so a page that takes the place of the shell asks for it again.
export function serve(said) {
  navigator.serviceWorker.onmessage = async ({ data, ports: [port] }) => {
    if (!data.pocket) return;
    port.postMessage({ isMine: Boolean(engine) });
    if (engine) port.postMessage({ answer: await ask(said, data.pocket) });
  };
  navigator.serviceWorker.startMessages();
  addEventListener("pagehide", end);
}
