// The script of every page of a site.

import "./pages.js";
import "./offline/start.js";
import "./offline/forms.js";
import "./offline/folder.js";
import "./base/ready.js";
