// Builds what static/ serves from scripts/ and styles/: npm run build, or npm run watch while editing.
//
// The first line of each file is a digest of what it was built from, which tests/test_storage.py compares.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { build, context, version } from "esbuild";

const FLOOR = ["safari16", "firefox121", "chrome111"]; // README's oldest browsers
const MODULES = [
  "scripts/app.js",
  "scripts/money/picture.js",
  ...["app", "shell", "engine", "missing"].map((name) => `scripts/serverless/${name}.js`),
];
// Loaded by a <script> without a type, or by importScripts.
const CLASSIC = ["head", "worker", "serverless/worker", "api/viewer"].map((name) => `scripts/${name}.js`);
const STYLES = [
  ...["app", "sheet", "desk", "books", "play/home", "play/door", "play/board", "play/rules"],
  ...["money/result", "files/bring", "tables/people"],
].map((name) => `styles/${name}.css`);

// A digest of all files in a folder, of this file and of the version of esbuild.
function digestOf(folder) {
  const hash = createHash("sha256").update(version);
  const sources = readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`);
  for (const path of [...sources.filter((name) => /\.(js|css)$/.test(name)).sort(), "build.mjs"])
    hash.update(`\0${path}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

const options = (entryPoints, format) => {
  const [folder] = entryPoints[0].split("/");
  const banner = `/* ${digestOf(folder)} */`;
  return {
    ...{ entryPoints, format, outbase: folder, outdir: "static", banner: { js: banner, css: banner } },
    ...{ bundle: true, minify: true, target: FLOOR, charset: "utf8", logLevel: "warning" },
  };
};

const all = () => [options(MODULES, "esm"), options(CLASSIC, "iife"), options(STYLES)];
if (process.argv.includes("--watch")) for (const one of all()) await (await context(one)).watch();
else await Promise.all(all().map((one) => build(one)));
