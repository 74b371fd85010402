import { expect, test } from "vitest";
import { afterCommit, killedAt, routes, rules } from "../../doubts/support.ts";
import { seedRule } from "../../diff/support/content.ts";
import { apply, stage } from "../../diff/support/run.ts";
import { editRule } from "../../diff/support/web.ts";
import { ended, rollback } from "./support.ts";

test("what is left to a person is told as that, also where the rollback could not go on", async () => {
  const at = await stage();
  const urns = ["One", "Two"].map((name) => seedRule(at.source, name, { description: "first" }));
  await apply(at, rules);
  for (const urn of urns) editRule(at.source, urn, { description: "second" });
  seedRule(at.source, "Three");
  await killedAt(at, rules, "intent:before", 5);
  // One of the two was published before it died.
  const isDone = (name: string): boolean => at.target.body(at.target.rule(name))["description"] === "second";
  const [done = "", draft = ""] = ["One", "Two"].toSorted((one) => (isDone(one) ? -1 : 1));
  editRule(at.target, at.target.rule(done), { description: "theirs" });
  const { faults } = at.world.emulator;
  afterCommit(at, routes.publishRule, () => {
    faults.add({ match: { tenant: "prod", method: "GET" }, effect: { type: "status", code: 403 } });
  });
  const broken = await rollback(at, rules);
  expect([broken.exitCode, ended(broken).toSorted()]).toEqual([
    3,
    ["delete rules withheld", "manual rules", "update rules not-started"],
  ]);
  expect(broken.headline).toContain("0 objects taken back, 3 left. 1 delete withheld");
  expect(broken.headline).toContain("Nothing of the configuration was taken back.");
  expect(isDone(draft)).toBe(true);
  faults.clear();
  expect(ended(await rollback(at, rules)).toSorted()).toEqual([
    "delete rules withheld",
    "manual rules",
    "update rules done",
  ]);
  expect(isDone(draft)).toBe(false);
});
