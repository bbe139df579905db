// Runs in the head of every page, before it is drawn.

import "./base/beside.js";
import "./base/switch.js";
