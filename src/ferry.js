#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=50 --
// The flags keep garbage from piling up, young and old: half of the memory, and hardly slower.
// Plain JavaScript without static imports, so that it runs on any Node and can say what is missing.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(`ferry needs Node 24 or newer; this is Node ${process.versions.node}.\n`);
  process.stderr.write(
    "Install Node 24; or, in a clone of the project, `npm ci` once and then `npm run ferry -- <command>`: npm brings Node 24 along.\n",
  );
  process.exitCode = 64;
} else if (process.argv.length === 3 && ["--version", "-V"].includes(process.argv[2] ?? "")) {
  // Asked by scripts, often: it needs nothing of the program.
  const { readFileSync } = await import("node:fs");
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${manifest.version}\n`);
} else {
  // What was compiled once is not compiled again: it halves the time that the short commands take.
  (await import("node:module")).enableCompileCache();
  const source = import.meta.url.endsWith("/src/ferry.js");
  await import(source ? "./main.ts" : "./main.js");
}
