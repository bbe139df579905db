// The scripts of the list of payments and ticks that wait: they have to be loaded before the network is lost.

import "./list.js";
import "./toast.js";
