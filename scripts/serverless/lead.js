// The leading window of a folder without a site: it alone owns the engine while it is open, and it answers
// the service worker.

import { folder } from "./store.js";

const PATIENCE = 5000;
const LOCK = `anotador ${folder}`;

// The first page (shell.js) and the app that replaces it in the same window (app.js) are two scripts with one
// engine.
self.leading ??= { engine: null, start: "", free: () => {}, asked: new Set() };
const { leading } = self;

/**
 * Try to take the lead with the engine at this address; resolves to whether this window leads now.
 * @param {string} address
 * @param {LockOptions} [options] how to take the lead
 */
export function lead(address, options = { signal: AbortSignal.timeout(PATIENCE) }) {
  leading.start = address;
  if (leading.engine) return Promise.resolve(true);
  return new Promise((resolve) => {
    let isHeld = false;
    /** @returns {Promise<void>} */
    const held = () => {
      isHeld = true;
      leading.engine ??= started();
      resolve(true);
      return new Promise((release) => {
        leading.free = release;
      });
    };
    navigator.locks.request(LOCK, options, held).catch(() => {
      if (isHeld) end(); // another window took the lead
      resolve(Boolean(leading.engine)); // another call in this window may have the lead
    });
  });
}

// Start the engine, which reports the progress of its start.
function started() {
  const worker = new Worker(leading.start, { type: "module" });
  worker.onmessage = ({ data: detail }) => dispatchEvent(new CustomEvent("engine:step", { detail }));
  return worker;
}

// Take the lead from a window that does not answer. If it wakes up, it cannot overwrite newer data.
export const takeLead = (address) => lead(address, { steal: true });

function end() {
  leading.engine?.terminate();
  leading.engine = null;
  leading.free();
  for (const answer of leading.asked) answer({ trouble: "it was ended" });
}

// The answer of the engine to a request.
export function ask(question) {
  return new Promise((resolve) => {
    const give = (answer) => {
      leading.asked.delete(give);
      resolve(answer);
    };
    leading.asked.add(give);
    if (!leading.engine) return end();
    const { port1, port2 } = new MessageChannel();
    leading.engine.onerror = end;
    port1.onmessage = ({ data }) => give(data);
    leading.engine.postMessage(question, [port2]);
  });
}

// Answer the service worker while this window leads, and take the lead on request.
export function serve() {
  navigator.serviceWorker.onmessage = async ({ data, ports: [port] }) => {
    if (!data.asked) return;
    const isMine = Boolean(leading.engine) || (data.begins && (await lead(data.engine)));
    // Only after the worker has confirmed: otherwise it would ask another window, and record the form twice.
    port.onmessage = async () => port.postMessage({ answer: await ask(data.asked) });
    port.postMessage({ isMine: Boolean(isMine) });
  };
  navigator.serviceWorker.startMessages();
  addEventListener("pagehide", end);
}
