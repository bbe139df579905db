// Stores of this phone with records under keys. Pages and the service worker load this, so it is no module. A
// store is closed after each use, so that signing out can remove its contents at any moment.

self.diskOf = (name) => {
  /** @returns {Promise<IDBDatabase>} */
  const open = () =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("kept");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  // Act in one transaction; resolves once the disk has it.
  return async (mode, act) => {
    const database = await open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction("kept", mode, { durability: "strict" });
        const request = act(transaction.objectStore("kept"));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  };
};
