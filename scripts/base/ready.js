// Runs after all other scripts of a page: from now on they answer (switch.js).

const root = document.documentElement;

root.dataset.scripts = "ready";
