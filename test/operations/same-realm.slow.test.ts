import { expect, test } from "vitest";
import { applyPlan } from "../../src/operations/apply.ts";
import type { Result } from "../../src/model/result.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import { seedDashboard, seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { Side } from "../diff/support/side.ts";
import { editDashboard, editTerm } from "../diff/support/web.ts";
import { catalogKinds } from "../support/plan.ts";
import { type TwoServers, twoServers } from "../support/two-servers.ts";

const select = { kinds: [...catalogKinds, "rules", "monitors", "dashboards"], entityTypes: ["dataProduct"] };

async function sync(at: TwoServers): Promise<Result> {
  const options = { confirm: async () => true, verify: true, command: "sync" } as const;
  return applyPlan(at.migration({ select }), options);
}

const verify = async (at: TwoServers): Promise<Result> => verifyPlan(at.migration({ select }));

const survivors = ({ diagnostics }: Result): readonly string[] =>
  diagnostics.flatMap(({ severity, code, coordinate, pointer }) =>
    code === "source-id-at-target" ? [`${severity} ${coordinate?.name} ${pointer}`] : [],
  );

test("all of the demo arrives, and nothing that the target has of its own is taken for the source's", async () => {
  const at = await twoServers("demo");
  const first = await sync(at);
  expect(first.changes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(first.headline).toContain("Verified");
  expect(survivors(first)).toEqual([]);
  const again = await sync(at);
  expect(again.headline).toContain("Verified");
  expect(survivors(again)).toEqual([]);
  expect(survivors(await verify(at))).toEqual([]);
});

test("what is left of the source is told by its id: of objects, of their parts, of given things", async () => {
  const at = await twoServers("empty");
  const [source, target] = [new Side(at.source), new Side(at.target)];
  const rule = seedRule(source, "Email");
  const monitor = seedMonitor(source, rule, "Customers");
  seedDashboard(source, "Shown", { dqMonitorUrns: [monitor] });
  const part = source.part(rule, "email");
  const text = `See ${uuidOf(rule)}, and https://dev.example.com/${encodeURIComponent(part)}`;
  seedTerm(source, "Said", { description: text });
  expect((await sync(at)).exitCode).toBe(0);
  expect(survivors(await verify(at))).toEqual(["warning Said /description", "warning Said /description"]);

  editTerm(target, target.term("Said"), { description: `See ${uuidOf(target.rule("Email"))}` });
  editDashboard(target, target.dashboard("Shown"), { about: [rule, part, source.item("CUSTOMER")] });
  const left = await verify(at);
  expect(left.exitCode).toBe(7);
  expect(survivors(left)).toEqual([0, 1, 2].map((place) => `error Shown /about/${place}`));
});
