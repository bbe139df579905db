// On the page about the home screen: no link while entries wait, since the app there has a storage of its own
// and would not send them.

import { countKept } from "../offline/leaving.js";
import { outbox } from "../offline/place.js";

async function present() {
  const form = document.getElementById("make");
  if (!form) return;
  form.hidden = (await countKept()) > 0;
  document.getElementById("not-yet").hidden = !form.hidden;
}

outbox.heard(present);
present();
