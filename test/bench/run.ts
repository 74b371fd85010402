import { parseArgs } from "node:util";
import { seconds, table } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { measures } from "./measures/index.ts";
import { Pace } from "./pace.ts";

/**
 * `npm run bench`: ratios, measured in one run on one machine, against the goals of DESIGN, section 8. A missed goal
 * is a figure and no failure: it exits with 1 only when something could not be measured.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  const keys = measures.map(({ key, what }) => `  ${key}  ${what}\n`).join("");
  process.stdout.write(`npm run bench -- [--only a,b] [--quick]\n${keys}`);
} else {
  const wanted = values.only?.split(",").map((key) => key.trim());
  const unknown = wanted?.filter((key) => !measures.some((measure) => measure.key === key)) ?? [];
  if (unknown.length > 0) throw new Error(`there is no measure ${unknown.join(", ")}; see --help`);
  process.exitCode = await run(wanted, values.quick);
}

async function run(wanted: readonly string[] | undefined, quick: boolean): Promise<number> {
  const pace = new Pace(quick);
  const figures: Figure[] = [];
  const failed: string[] = [];
  for (const { key, what, take } of measures) {
    if (wanted !== undefined && !wanted.includes(key)) continue;
    const began = performance.now();
    try {
      figures.push(...(await take(pace)));
      process.stderr.write(`${key}  ${what}: ${seconds(performance.now() - began)}\n`);
    } catch (error) {
      failed.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  process.stdout.write(
    `${quick ? "Quick: these figures hold for nothing but that it works.\n" : ""}${table(figures)}`,
  );
  for (const failure of failed) process.stdout.write(`could not be measured: ${failure}\n`);
  return failed.length > 0 ? 1 : 0;
}
