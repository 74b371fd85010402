import { parseArgs } from "node:util";
import { packageOf } from "./command/package.ts";
import { keepFigures, lastBefore, readFigures } from "./figures/file.ts";
import { figuresOf } from "./figures/figures-of.ts";
import { measures } from "./measures/index.ts";
import type { Bench, Measure } from "./measures/measure.ts";
import { stage } from "./measures/stage.ts";
import type { Row } from "./row.ts";
import { seconds } from "./row.ts";
import { comparedTable, measuredTable } from "./table.ts";

/**
 * `npm run bench`: ratios and counts, measured in one run on one machine, against the goals of DESIGN, section 8, and
 * against the last release. A missed goal is a figure and no failure: it exits with 1 only when something could not be
 * measured.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    of: { type: "string" },
    keep: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  const keys = measures.map(({ key, what }) => `  ${key.padEnd(10)} ${what}\n`).join("");
  process.stdout.write(`npm run bench -- [--only ${measures[0]?.key},...] [--of FOLDER] [--keep] [--quick]
  --only   these measures only:
${keys}  --of     measure the built clone in this folder, for example of an earlier release
  --keep   keep the figures in test/bench/figures, under the version that was measured
  --quick  small and once: shows that it works, and nothing else
`);
} else {
  if (values.keep && values.quick) throw new Error("figures of --quick are none to keep");
  const wanted = values.only?.split(",").map((key) => key.trim());
  const unknown = wanted?.filter((key) => !measures.some((measure) => measure.key === key)) ?? [];
  if (unknown.length > 0) throw new Error(`there is no measure ${unknown.join(", ")}; see --help`);
  const chosen = measures.filter(({ key }) => wanted?.includes(key) ?? true);
  const bench: Bench = { of: await packageOf(values.of), quick: values.quick };
  process.exitCode = await run(chosen, bench, values.keep);
}

async function run(chosen: readonly Measure[], bench: Bench, keep: boolean): Promise<number> {
  const rows: Row[] = [];
  const failed: string[] = [];
  await warmUp(bench);
  for (const { what, take } of chosen) {
    const began = performance.now();
    try {
      rows.push(...(await take(bench)));
      process.stderr.write(`${what}: measured in ${seconds(performance.now() - began)}\n`);
    } catch (error) {
      failed.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { version } = bench.of;
  if (bench.quick) process.stdout.write("Quick: these figures hold for nothing but that it works.\n");
  process.stdout.write(`${measuredTable(rows)}\n${comparedTable(rows, lastBefore(version, readFigures()))}`);
  for (const failure of failed) process.stdout.write(`could not be measured: ${failure}\n`);
  if (keep) {
    const before = readFigures().find((figures) => figures.version === version);
    process.stdout.write(`kept in ${keepFigures(figuresOf(version, rows, before))}\n`);
  }
  return failed.length > 0 ? 1 : 0;
}

/** The first run of all finds nothing compiled and nothing in the caches of the disk. */
async function warmUp(bench: Bench): Promise<void> {
  await using at = await stage(200);
  await at.desk.sync(bench.of);
  await at.desk.sync(bench.of);
}
