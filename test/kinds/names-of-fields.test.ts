import { expect, test } from "vitest";
import { uuidOf } from "../../src/model/urn.ts";
import { verifyPlan } from "../../src/operations/verify.ts";
import { seedDashboard, seedMonitor, seedRule } from "../diff/support/content.ts";
import { apply, changeOf, expectAtRest, stage, twinOf } from "../diff/support/run.ts";
import { onlyPatch } from "../diff/support/log.ts";
import { editDashboard, editRule } from "../diff/support/web.ts";

const plan = { select: { kinds: ["rules", "monitors", "dashboards"] } };

test("a URN that is the name of a field is a reference: rewritten, waited for, looked for at the target", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const monitor = seedMonitor(at.source, rule, "Customers");
  // Nothing but the name of a field leads to the monitor, and the primary one is there on both sides.
  const layout = { [monitor]: { x: 1 }, [at.source.primary("CUSTOMER")]: { x: 2 } };
  const board = seedDashboard(at.source, "Board", { layout });
  const made = changeOf(await apply(at, plan), board);
  expect(made).toMatchObject({ action: "create", outcome: "done" });
  const twin = await twinOf(at, monitor);
  expect(at.target.body(at.target.dashboard("Board"))["layout"]).toEqual({
    [twin]: { x: 1 },
    [at.target.primary("CUSTOMER")]: { x: 2 },
  });
  await expectAtRest(at, plan);
  expect((await verifyPlan(at.world.migration(plan))).exitCode).toBe(0);

  const [planted] = [at.target.dashboard("Board")];
  editDashboard(at.target, planted, { layout: { [monitor]: { x: 1 } } });
  const { diagnostics } = await verifyPlan(at.world.migration(plan));
  expect(diagnostics.find(({ code }) => code === "source-id-at-target")).toMatchObject({
    severity: "error",
    pointer: `/layout/${monitor}`,
  });
});

test("an update that names a field by something new waits for that", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  await apply(at, plan);
  const other = seedRule(at.source, "Phone");
  editRule(at.source, rule, { related: { [other]: { weight: 1 } } });
  const change = changeOf(await apply(at, plan), rule);
  expect(change).toMatchObject({ action: "update", outcome: "done", dependsOn: [`rules:${other}`] });
  expect(change?.fields.map(({ path }) => path)).toEqual([`/related/${other}/weight`]);
  expect(onlyPatch(at.world)).toEqual({ related: { [await twinOf(at, other)]: { weight: 1 } } });
  await expectAtRest(at, plan);
});

test("a UUID of an object that is the name of a field is told: it is taken for the key of a part", async () => {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const monitor = seedMonitor(at.source, rule, "Customers");
  const board = seedDashboard(at.source, "Board", { layout: { [uuidOf(monitor)]: { x: 1 } } });
  const change = changeOf(await apply(at, plan), board);
  expect(change?.diagnostics).toMatchObject([
    { severity: "warning", code: "loose-id", pointer: `/layout/${uuidOf(monitor)}` },
  ]);
  expect(change?.diagnostics[0]?.summary).toContain('that of "Customers" at dev');
  // The service kept the key as it was sent.
  const verified = await verifyPlan(at.world.migration(plan));
  expect(verified.diagnostics).toMatchObject([
    { severity: "warning", code: "source-id-at-target", pointer: `/layout/new_${uuidOf(monitor)}` },
  ]);
});
