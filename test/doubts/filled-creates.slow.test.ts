import { expect, test } from "vitest";
import { seedMetadataProperty } from "../../src/emulator/seed.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { apply, expectAtRest, type Stage, stage, twinOf } from "../diff/support/run.ts";
import type { Urn } from "../../src/model/urn.ts";
import { written } from "../diff/support/log.ts";
import { wanted } from "../diff/support/side.ts";
import { editEntity, seedComment, seedIssue } from "../kinds/support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";
import { killedAt } from "./support.ts";

/** What has no name is known by what it says: where more stands in it than was sent it is another one, or the service has filled that. */
const plan: PlanChanges = {
  select: { kinds: ["entities"], entityTypes: ["qualityIssue", "issueComment"] },
};
const ignoring: PlanChanges = { ...plan, policy: { ignoreFields: { entities: ["/properties/seenAt"] } } };

async function commented(): Promise<{ readonly at: Stage; readonly urn: string }> {
  const at = await stage();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "issueComment", { name: "seenAt" });
  const urn = seedComment(at.source, seedIssue(at.source, "Late"), "Since Monday");
  return { at, urn };
}

function commentsOf({ target }: Stage): readonly { readonly urn: string }[] {
  return target.tenant.entities.valuesIn("type:issueComment");
}

test.each([
  ["the service fills more of it", plan],
  ["the plan ignores no more what the service fills", ignoring],
])(
  "a comment whose creation had no answer is asked about where %s, and not made twice",
  async (_what, before) => {
    const { at, urn } = await commented();
    // The issue comes first.
    await killedAt(at, before, "send:after", 2);
    const made = wanted(commentsOf(at)[0]?.urn, "comment");
    editEntity(at.target, made as Urn, { seenAt: "today" });
    const asked = await apply(at, plan);
    expect([asked.exitCode, written(at.world)]).toEqual([6, []]);
    expect(JSON.stringify(asked.diagnostics)).toContain("something new at the target says all that was sent");
    await resolveDoubts(at.world.migration(plan), {
      decisions: [{ decision: "take", source: urn, target: made }],
    });
    await apply(at, ignoring);
    expect(await twinOf(at, urn)).toBe(made);
    expect(commentsOf(at)).toHaveLength(1);
  },
);

test("one that is not there is made, whatever else was said there meanwhile", async () => {
  const { at, urn } = await commented();
  // The intent of the issue comes first, too.
  await killedAt(at, plan, "intent:after", 2);
  expect(commentsOf(at)).toEqual([]);
  seedComment(at.target, at.target.entity("qualityIssue", "Late"), "Since Tuesday");
  expect((await apply(at, plan)).exitCode).toBe(0);
  expect(commentsOf(at)).toHaveLength(2);
  expect(at.target.body(await twinOf(at, urn))).toMatchObject({ properties: { text: "Since Monday" } });
  await expectAtRest(at, plan);
});
