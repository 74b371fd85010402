import { fileURLToPath } from "node:url";
import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { median } from "../figure.ts";
import { node } from "../process.ts";

const launcher = fileURLToPath(new URL("../../../src/ferry.js", import.meta.url));

/** `ferry --version` against a Node that does nothing, in turns. */
export async function startUp(pace: Pace): Promise<readonly Figure[]> {
  const [ferry, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < pace.rounds(15, 0); round += 1) {
    ferry.push(await timed([launcher, "--version"]));
    bare.push(await timed(["-e", "0"]));
  }
  const [ms, none] = [median(ferry), median(bare)];
  return [
    {
      what: "ferry --version",
      value: `${ms.toFixed(0)} ms`,
      goal: { text: "< 100 ms", met: ms < 100 },
      from: `${none.toFixed(0)} ms for Node alone; the fastest took ${Math.min(...ferry).toFixed(0)} ms and ${Math.min(...bare).toFixed(0)} ms`,
    },
  ];
}

async function timed(argv: readonly string[]): Promise<number> {
  const began = performance.now();
  await node(argv);
  return performance.now() - began;
}
