// Prints what scripts/, styles/ and the files built from them use without need of a browser newer than the floor of README.
//
// MDN's browser-compat-data tells since when a browser has what. What one of them never had is no matter of the floor: it
// is an ornament. A member counts as too new if every interface with one of its name got it later, and only where it is
// called or looked into: one that is only read is undefined in an older browser. Names that the scripts define are theirs.
// Of styles what stands below @supports is asked for, and EXTRA lists what may be missing.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { parse } from "acorn";
import { ancestor, simple } from "acorn-walk";
import * as csstree from "css-tree";

const bcd = createRequire(import.meta.url)("@mdn/browser-compat-data");
const FLOOR = { safari_ios: 16, firefox: 121, chrome: 111 };
const CARRYING = { ...FLOOR, safari_ios: 16.4 };
const ROOT = new URL("../../", import.meta.url);

// Asked for in another place of the script, or of no matter where it is missing.
const EXTRA = new Set([
  ...["wakeLock", "exitFullscreen", "requestFullscreen", ":fullscreen"], // wake.js and board.js ask first
  ":popover-open", // before Safari 17 the panel stands in the page, as overlays.css says
  ...["text-decoration: dotted", "scrollbar-width", "scrollbar-width: none", "scroll-initial-target"],
  ...["scroll-initial-target: none", "scroll-initial-target: nearest"],
  ...["print-color-adjust", "print-color-adjust: exact"],
]);

// The version in which a browser got this under its own name, or undefined if it has not.
function since(compat, browser) {
  const own = [compat.support[browser]].flat().filter((one) => one && !one.flags && !one.prefix && !one.alternative_name);
  const versions = own.map((one) => Number.parseFloat(String(one.version_added).replace("≤", "")));
  return versions.filter((version) => version > 0).sort((a, b) => a - b)[0];
}

const isLater = (compat, floor) => Object.entries(floor).some(([browser, least]) => since(compat, browser) > least);

// Every part of the data below `tree` with its name and what supports it.
function* parts(tree) {
  for (const [name, part] of Object.entries(tree)) {
    if (name === "__compat" || typeof part !== "object") continue;
    if (part.__compat) yield [name.replace(/_static$/, ""), part.__compat];
    yield* parts(part);
  }
}

function indexed(...trees) {
  const index = new Map();
  for (const tree of trees)
    for (const [name, compat] of parts(tree)) index.set(name, [...(index.get(name) ?? []), compat]);
  return index;
}

const members = indexed(bcd.api, bcd.javascript.builtins);
const inTypes = indexed(bcd.css.types);
const isTooNew = (known, floor) => Boolean(known?.length) && known.every((compat) => isLater(compat, floor));

// The names of properties and methods that these scripts give things themselves.
function ownNames(trees) {
  const names = new Set(["last"]); // scripts/play/keys.js takes it from a list
  const add = ({ key, computed }) => !computed && names.add(key.name);
  for (const tree of trees) simple(tree, { Property: add, MethodDefinition: add, PropertyDefinition: add });
  return names;
}

function* inScript(tree, floor) {
  const uses = [];
  const local = new Set(); // short in a built file
  const declare = ({ id }) => id && local.add(id.name);
  simple(tree, { VariablePattern: ({ name }) => local.add(name), Function: declare, Class: declare });
  const note = (node, name) => uses.push([node.loc.start.line, name]);
  ancestor(tree, {
    StaticBlock: (node) => note(node, "static block"),
    Literal(node) {
      if (node.regex && /\(\?<[=!]/.test(node.regex.pattern)) note(node, "lookbehind");
    },
    MemberExpression(node, _state, above) {
      const around = above.at(-2);
      const isNeeded =
        (["CallExpression", "NewExpression"].includes(around.type) && around.callee === node) ||
        (around.type === "MemberExpression" && around.object === node);
      const name = node.property.name;
      const isTheirs = node.computed || own.has(name);
      if (isNeeded && !around.optional && !isTheirs && isTooNew(members.get(name), floor)) note(node, name);
    },
    NewExpression({ callee }) {
      if (!local.has(callee.name) && isTooNew(members.get(callee.name), floor)) note(callee, callee.name);
    },
  });
  yield* uses;
}

function* inStyle(source, floor) {
  const uses = [];
  const tree = csstree.parse(source, { positions: true });
  const stack = [];
  const lacks = (part) => part?.__compat && isLater(part.__compat, floor);
  csstree.walk(tree, {
    enter(node) {
      stack.push(node);
      if (stack.some((one) => one.type === "Atrule" && one.name === "supports")) return;
      const note = (name) => uses.push([node.loc.start.line, name]);
      const property = stack.findLast((one) => one.type === "Declaration")?.property;
      if (node.type === "Declaration" && lacks(bcd.css.properties[node.property])) note(node.property);
      if (node.type === "Identifier" && property && lacks(bcd.css.properties[property]?.[node.name]))
        note(`${property}: ${node.name}`);
      if (node.type === "Function" && isTooNew(inTypes.get(node.name), floor)) note(`${node.name}()`);
      if (node.type === "PseudoClassSelector" && lacks(bcd.css.selectors[node.name])) note(`:${node.name}`);
      if (node.type === "PseudoElementSelector" && lacks(bcd.css.selectors[node.name])) note(`::${node.name}`);
      if (node.type === "Atrule" && lacks(bcd.css["at-rules"][node.name])) note(`@${node.name}`);
      if (node.type === "Rule" && stack.filter((one) => one.type === "Rule").length > 1) note("nesting");
    },
    leave() {
      stack.pop();
    },
  });
  yield* uses;
}

const files = ["scripts", "styles", "static"].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT), { recursive: true }).sort().map((name) => `${folder}/${name}`),
);
const text = (name) => readFileSync(new URL(name, ROOT), "utf8");
const script = (name) => parse(text(name), { ecmaVersion: 2022, sourceType: "module", locations: true });
const scripts = new Map(files.filter((name) => name.endsWith(".js")).map((name) => [name, script(name)]));
const own = ownNames(scripts.values());

for (const name of files) {
  const floor = /\/serverless\//.test(name) ? CARRYING : FLOOR;
  const uses = scripts.has(name) ? inScript(scripts.get(name), floor) : name.endsWith(".css") ? inStyle(text(name), floor) : [];
  for (const [line, used] of uses) if (!EXTRA.has(used)) console.log(`${name}:${line}: ${used}`);
}
