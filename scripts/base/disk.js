// Key-value stores on this phone, like idb's, but with the early commits that WebKit needs.
//
// A store is closed after each use, so that
// signing out can delete its contents at any time.

// In WebKit, a transaction of a page that was left or suspended blocks all others. So each is committed right
// after its last request, and aborted if its page is left before. A page only gets `pagehide` after
// `pageshow`, so no transaction begins earlier; but saving does not wait for a file that never loads.
self.openDisk = (name) => {
  /** @type {Set<IDBTransaction>} */
  const running = new Set();
  let isLeft = false; // whether the page was left; it may be shown again

  /** @returns {Promise<IDBDatabase>} */
  const open = () =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("kept");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  function abort(transaction) {
    try {
      transaction.abort();
    } catch {
      // it is already being committed
    }
  }

  const shown = new Promise((resolve) => {
    self.addEventListener("pageshow", () => {
      isLeft = false;
      resolve(null);
    });
    setTimeout(resolve, self.document && document.readyState !== "complete" ? 3000 : 0);
  });
  self.addEventListener("pagehide", () => {
    isLeft = true;
    running.forEach(abort);
  });

  // Run `act` in one transaction; resolves once it is on disk. An act that writes commits after its last
  // request.
  return async (mode, act) => {
    await shown;
    const database = await open();
    try {
      if (isLeft) throw new Error("the page was left");
      const transaction = database.transaction("kept", mode, { durability: "strict" });
      running.add(transaction);
      const ended = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      const request = act(transaction.objectStore("kept"));
      if (mode === "readonly") transaction.commit?.();
      await ended.finally(() => running.delete(transaction));
      return request?.result;
    } finally {
      database.close();
    }
  };
};
