import { expect, test } from "vitest";
import { setMappings } from "../../src/operations/mappings.ts";
import { apply, diff, stage } from "../diff/support/run.ts";
import type { PlanChanges } from "../support/world.ts";

const monitors: PlanChanges = { select: { kinds: ["monitors"] } };

test.each([{}, { kind: "monitors" }])(
  "a pair of primary monitors, whose URNs tell no kind, is no pair of nothing (%j)",
  async (named) => {
    const at = await stage();
    const pair = { source: at.source.primary("CUSTOMER"), target: at.target.primary("CUSTOMER"), ...named };
    await setMappings(at.world.migration(monitors), [pair]);
    for (const look of [diff, apply, apply]) {
      const { exitCode, summary, changes } = await look(at, monitors);
      expect([exitCode, summary.manual, changes.flatMap(({ diagnostics }) => diagnostics)]).toEqual([
        0,
        0,
        [],
      ]);
    }
  },
);
