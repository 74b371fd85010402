import { packageOf } from "./command/package.ts";
import { draw } from "./curves/draw.ts";
import { points, rowPoints } from "./curves/points.ts";
import { busy, figuresOf } from "./figures/figures-of.ts";
import { keepFigures, lastBefore, readFigures } from "./figures/file.ts";
import type { Bench } from "./measures/measure.ts";
import { stage } from "./measures/stage.ts";
import type { Wish } from "./options.ts";
import { help, wishOf } from "./options.ts";
import type { Row } from "./row.ts";
import { seconds } from "./row.ts";
import { comparedTable, measuredTable } from "./table.ts";

/** Asked before anything here makes it busy. */
const warning = busy();

/**
 * `npm run bench`: ratios and counts, measured in one run on one machine, against their goals, and
 * against the last release. A missed goal is a figure and no failure: it exits with 1 only when something could not be
 * measured.
 */
process.exitCode = await run(wishOf(process.argv.slice(2)));

async function run(wish: Wish): Promise<number> {
  switch (wish.do) {
    case "help":
      say(help());
      return 0;
    case "draw":
      say(`drawn: ${draw()}\n`);
      return 0;
    case "curves":
      return await measureCurves(await benchOf(wish));
    case "rows":
      return await measureRows(await benchOf(wish), wish);
  }
}

async function benchOf({
  of,
  quick,
}: {
  readonly of: string | undefined;
  readonly quick: boolean;
}): Promise<Bench> {
  if (warning !== undefined) tell(warning);
  const bench: Bench = { of: await packageOf(of), quick };
  // The first run of all finds nothing compiled and nothing in the caches of the disk.
  await using at = await stage(200);
  await at.desk.sync(bench.of);
  await at.desk.sync(bench.of);
  return bench;
}

async function measureRows(
  bench: Bench,
  { chosen, keep }: Extract<Wish, { readonly do: "rows" }>,
): Promise<number> {
  const rows: Row[] = [];
  const failed: string[] = [];
  for (const { what, take } of chosen) {
    const began = performance.now();
    try {
      rows.push(...(await take(bench)));
      tell(`${what}: measured in ${seconds(performance.now() - began)}`);
    } catch (error) {
      failed.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { version } = bench.of;
  if (bench.quick) say("Quick: these figures hold for nothing but that it works.\n");
  say(`${measuredTable(rows)}\n${comparedTable(rows, lastBefore(version, readFigures()))}`);
  for (const failure of failed) say(`could not be measured: ${failure}\n`);
  if (keep) say(`kept: ${keepFigures(figuresOf(version, rows, keptOf(version), warning))}\n`);
  return failed.length > 0 ? 1 : 0;
}

async function measureCurves(bench: Bench): Promise<number> {
  const measured = await points(bench, tell);
  const rows = await rowPoints(bench, tell);
  if (bench.quick) return 0;
  const { version } = bench.of;
  keepFigures(figuresOf(version, [], keptOf(version), warning, measured, rows));
  say(`drawn: ${draw()}\n`);
  return 0;
}

function keptOf(version: string): ReturnType<typeof readFigures>[number] | undefined {
  return readFigures().find((figures) => figures.version === version);
}

function say(text: string): void {
  process.stdout.write(text);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
