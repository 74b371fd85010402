import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedMonitor, seedRule } from "./support/content.ts";
import { apply, changeOf, decideOne, diff, type Stage, stage, twinOf } from "./support/run.ts";
import { editMonitor } from "./support/web.ts";

/** A decision is for two versions, and the source's is what would be brought: what made it another one is not said to have happened at the source. */

const plan = (schedules: "keep" | "disable"): PlanChanges => ({
  select: { kinds: ["rules", "monitors"] },
  policy: { schedules },
});

const atTarget = "it changed at prod";
const brought = "what is to be brought to prod changed (at dev, by the plan or by the mapping)";

interface Decided extends Stage {
  readonly urn: Urn;
  readonly twin: Urn;
}

async function decided(): Promise<Decided> {
  const at = await stage();
  const urn = seedMonitor(at.source, seedRule(at.source, "Email"), "Customers");
  await apply(at, plan("keep"));
  const twin = (await twinOf(at, urn)) as Urn;
  editMonitor(at.target, twin, { description: "Theirs.", schedule: { enabled: false } });
  await decideOne(at, plan("keep"), "take-source");
  return { ...at, urn, twin };
}

test.each([
  ["nothing", "keep", () => {}, undefined],
  [
    "the target",
    "keep",
    (at: Decided) => editMonitor(at.target, at.twin, { description: "Otherwise." }),
    atTarget,
  ],
  ["the source", "keep", (at: Decided) => editMonitor(at.source, at.urn, { description: "New." }), brought],
  ["the plan", "disable", () => {}, brought],
  [
    "the plan and the target",
    "disable",
    (at: Decided) => editMonitor(at.target, at.twin, { description: "Otherwise." }),
    `${atTarget}, and ${brought}`,
  ],
] as const)("where %s changed after it", async (_what, schedules, change, why) => {
  const at = await decided();
  change(at);
  const reason = changeOf(await diff(at, plan(schedules)), at.urn)?.reason;
  if (why === undefined) expect(reason).toMatch(/^.+ decided on \S+ to take the source's version$/);
  else expect(reason?.split(" holds no longer, since ")[1]).toBe(`${why} after that`);
});
