// Sends the requests of the guide to the reader's table for trying, and shows what is answered.

const LONGEST = 6000; // characters of an answer
const LISTENING = 3000; // milliseconds for which a response that stays open is read

const guide = document.getElementById("guide");
const { token, table } = guide.dataset;
const codes = { $TABLE: table, $GAME: "" };
const isReady = (button) => !button.dataset.path.includes("$GAME") || codes.$GAME !== "";

// Returns what arrives until the response ends, or until it has been read for long enough.
async function textOf(response) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const timer = setTimeout(() => reader.cancel(), LISTENING);
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  clearTimeout(timer);
  return text;
}

function headersOf({ key, sent, open }) {
  const headers = { Authorization: `Bearer ${token}`, "Accept-Language": document.documentElement.lang };
  if (key) headers["Idempotency-Key"] = key;
  if (sent) headers["Content-Type"] = "application/json";
  if (open) headers["Last-Event-ID"] = "0";
  return headers;
}

// Indents an answer that is one object of JSON; a stream of lines stays as it is.
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

async function ask(button) {
  const { method, path, sent } = button.dataset;
  const address = path.replace(/\$[A-Z]+/, (name) => codes[name]);
  const options = { method, headers: headersOf(button.dataset), body: sent || undefined };
  const response = await fetch(`/api/v1/${address}`, { ...options, credentials: "omit" });
  const text = await textOf(response);
  if (response.status === 201) codes.$GAME = JSON.parse(text).code;
  return `${response.status}\n${indented(text).slice(0, LONGEST)}`;
}

const buttons = [...guide.querySelectorAll("button[data-path]")];

function update() {
  for (const button of buttons) button.disabled = !isReady(button);
}

for (const button of buttons) {
  const answer = button.parentElement.querySelector("output");
  button.addEventListener("click", async () => {
    button.disabled = true;
    answer.textContent = await ask(button).catch((error) => error.message);
    answer.hidden = false;
    update();
  });
}
update();
