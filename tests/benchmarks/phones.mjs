// So many phones that watch sheets, each as `static/base/live.js` does: asks every two seconds by the address and
// the ticket it has, and takes what comes of both from each answer. Prints what the answers took, as JSON, without
// the first answer of each phone, for which it connects.
//
//   echo '{"address": …, "seconds": …, "phones": [{"cookie": …, "sheet": …, "from": …}, …]}' | node phones.mjs
//
// Each connects from its own address, `from`, to this machine, whatever the host. `trusted` is the file of an
// https address's certificate.
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";

const OFTEN = 2000;
const ARRIVE = 20; // one after the other, since the first look of each has no ticket yet
const { address, seconds, phones, trusted } = JSON.parse(readFileSync(0, "utf8"));
const { Agent, get } = trusted ? https : http;
const ca = trusted && readFileSync(trusted);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, timeout: 60_000, ca });
const lookup = (_host, { all }, done) =>
  all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
const took = { 200: [], 204: [] };
const failed = {};
const end = Date.now() + seconds * 1000;

function ask(path, phone, headers) {
  const options = { agent, lookup, localAddress: phone.from, headers: { cookie: phone.cookie, ...headers } };
  return new Promise((heard, missed) => {
    const began = performance.now();
    get(address + path, options, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () =>
        heard({
          status: answer.statusCode,
          ticket: answer.headers["x-ticket"],
          text: Buffer.concat(parts).toString(),
          milliseconds: performance.now() - began,
        }),
      );
    }).on("error", missed);
  });
}

function shown(text, phone) {
  phone.live = /data-live="([^"]+)"/.exec(text)[1];
}

async function look(phone) {
  const next = Date.now() + OFTEN;
  try {
    const answer = await ask(phone.live, phone, { "x-ticket": phone.ticket });
    if (answer.status in took) {
      if (phone.isConnected) took[answer.status].push(answer.milliseconds);
    } else failed[answer.status] = (failed[answer.status] ?? 0) + 1;
    phone.isConnected = true;
    if (answer.status === 200) shown(answer.text, phone);
    phone.ticket = answer.ticket ?? phone.ticket;
  } catch (error) {
    failed[error.code] = (failed[error.code] ?? 0) + 1;
  }
  if (next < end) setTimeout(look, Math.max(0, next - Date.now()), phone);
}

// Those of one table show the same sheet: it is asked for once.
const sheets = new Map();
for (const phone of phones) {
  if (!sheets.has(phone.sheet)) sheets.set(phone.sheet, await ask(phone.sheet, phone));
  shown(sheets.get(phone.sheet).text, phone);
  phone.ticket = "none yet";
}
phones.forEach((phone, place) => {
  setTimeout(look, ARRIVE * place, phone);
});
setTimeout(
  () => {
    agent.destroy();
    process.stdout.write(JSON.stringify({ took, failed }), () => process.exit());
  },
  seconds * 1000 + 3000,
);
