// Payments and ticks that wait, and the list of them: nothing is kept before the list can be shown, since its
// scripts have to be here before the network is lost.

import "./list.js";
import "./toast.js";
import "./facts.js";
