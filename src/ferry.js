#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 node --max-semi-space-size=8 --
// Room for what is young is only settled before Node begins; the variables are glibc's: what is freed goes back to the system, and
// not to one of eight stocks. Kernels before 5.1 read no more than 127 characters of that line.
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
  // Garbage does not pile up: the heap doubles before it is tidied, and where there are many objects grows by a quarter (main.ts).
  (await import("node:v8")).setFlagsFromString("--heap-growing-percent=100");
  // What was compiled once is not compiled again: it halves the time that the short commands take.
  (await import("node:module")).enableCompileCache();
  const source = import.meta.url.endsWith("/src/ferry.js");
  await import(source ? "./main.ts" : "./main.js");
}
