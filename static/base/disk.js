// Stores of this phone with records under keys. Pages and the service worker load this, so it is no module. A
// store is closed after each use, so that signing out can remove its contents at any moment.

// In WebKit a transaction of a page that was left or put to sleep holds back all others. So each is committed
// as soon as all was asked for, and aborted if its page is left before. A page hears that it is left only
// once it was shown: none begins earlier, but what is saved waits for no file that stays away.
self.openDisk = (name) => {
  /** @type {Set<IDBTransaction>} */
  const running = new Set();
  let isLeft = false; // whether the page that runs this was left; it may be shown again

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
      // it is being committed
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

  // Act in one transaction; resolves once the disk has it. An act that writes commits after its last request.
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
