// What a page of the app may need, on a site and in a folder without one. Each script finds its parts of a
// page itself, also on the pages that follow.

import "./base/page.js";
import "./base/failures.js";
import "./base/voice.js";
import "./base/wake.js";
import "./base/zone.js";
import "./base/amount.js";
import "./base/choices.js";
import "./base/share.js";
import "./base/reveal.js";
import "./base/live.js";
import "./money/sentence.js";
import "./money/expense.js";
import "./money/balances.js";
import "./play/rules.js";
import "./play/stake.js";
import "./play/roster.js";
import "./play/pad.js";
import "./play/offered.js";
import "./play/flight.js";
import "./play/board.js";
