// The script of every page of a folder without a site.

import "../pages.js";
import "./page.js";
import "../base/ready.js";
