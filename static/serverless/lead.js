// The leading window of a folder without a site: it alone owns the engine while it is open, and it answers
// the service worker.

import { folder } from "./store.js";

const PATIENCE = 5000;
const LOCK = `anotador ${folder}`;

let engine = null;
let start = ""; // the address of the engine
let free = () => {};
/** @type {Set<(answer: { trouble: string }) => void>} */
const asked = new Set(); // unanswered questions

/**
 * Try to take the lead with the engine at this address; resolves to whether this window leads now.
 * @param {string} address
 * @param {LockOptions} [options] how to take the lead
 */
export function lead(address, options = { signal: AbortSignal.timeout(PATIENCE) }) {
  start = address;
  if (engine) return Promise.resolve(true);
  return new Promise((resolve) => {
    let isHeld = false;
    /** @returns {Promise<void>} */
    const held = () => {
      isHeld = true;
      engine ??= started();
      resolve(true);
      return new Promise((release) => {
        free = release;
      });
    };
    navigator.locks.request(LOCK, options, held).catch(() => {
      if (isHeld) end(); // another window took the lead
      resolve(Boolean(engine)); // another call in this window may have the lead
    });
  });
}

// Start the engine, which reports the progress of its start.
function started() {
  const worker = new Worker(start, { type: "module" });
  worker.onmessage = ({ data: detail }) => dispatchEvent(new CustomEvent("engine:step", { detail }));
  return worker;
}

// Take the lead from a window that does not answer. If it wakes up, it cannot overwrite newer data.
export const takeLead = (address) => lead(address, { steal: true });

function end() {
  engine?.terminate();
  engine = null;
  free();
  for (const answer of asked) answer({ trouble: "it was ended" });
}

// The answer of the engine to a request.
export function ask(question) {
  return new Promise((resolve) => {
    const give = (answer) => {
      asked.delete(give);
      resolve(answer);
    };
    asked.add(give);
    if (!engine) return end();
    const { port1, port2 } = new MessageChannel();
    engine.onerror = end;
    port1.onmessage = ({ data }) => give(data);
    engine.postMessage(question, [port2]);
  });
}

// Answer the service worker while this window leads, and take the lead on request.
export function serve() {
  navigator.serviceWorker.onmessage = async ({ data, ports: [port] }) => {
    if (!data.asked) return;
    const isMine = Boolean(engine) || (data.begins && (await lead(data.engine)));
    // Only after the worker has confirmed: otherwise it would ask another window, and record the form twice.
    port.onmessage = async () => port.postMessage({ answer: await ask(data.asked) });
    port.postMessage({ isMine: Boolean(isMine) });
  };
  navigator.serviceWorker.startMessages();
  addEventListener("pagehide", end);
}
