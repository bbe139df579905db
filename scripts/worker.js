// The script of the service worker, without its first line (games/play/views/pwa.py).

import "./base/disk.js";
import "./offline/queue.js";
import "./offline/site.js";
import "./offline/outbox.js";
import "./offline/worker.js";
