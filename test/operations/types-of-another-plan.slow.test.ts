import { expect, test } from "vitest";
import type { World } from "../support/world.ts";
import { onDemo } from "./on-demo.ts";
import { run, writes } from "./support.ts";

let demo: World;
onDemo((at) => ({ demo } = at));

const moves = (type: string): object => ({ select: { kinds: ["entities"], entityTypes: [type] } });

test("what another plan has moved, of a type that this one does not list, is where the mapping says", async () => {
  await run(demo, moves("dataProduct"));
  for (const isAgain of [false, true]) {
    demo.emulator.log.clear();
    const { changes } = await run(demo, moves("qualityIssue"));
    expect(changes.filter(({ action }) => action === "blocked").map(({ reason }) => reason)).toEqual([]);
    expect(writes(demo.emulator, "prod").length > 0).toBe(!isAgain);
  }
});
