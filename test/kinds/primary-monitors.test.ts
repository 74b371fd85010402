import { expect, test } from "vitest";
import { primaryMonitors } from "../../src/kinds/primary-monitors.ts";
import { configurePrimary, instanceOf, seedRule } from "../diff/support/content.ts";
import { wanted } from "../diff/support/side.ts";
import { editMonitor, removeMonitor } from "../diff/support/web.ts";
import { apply, expectChange, stage } from "../diff/support/run.ts";
import { contract } from "./contract.ts";
import { refusedMonitor } from "./support/spoil.ts";

const one = "/api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor";

contract({
  kind: primaryMonitors,
  plan: { select: { kinds: ["monitors"] } },
  routes: { patch: `PATCH ${one}`, publish: `POST ${one}/publish` },
  seed(from) {
    const rule = seedRule(from, "Email");
    const overallDqThresholds = { overall: { value: 90, severity: "WARNING" } };
    const schedule = { cronExpression: "0 0 5 * * ?", enabled: true, timeZone: "UTC" };
    configurePrimary(from, "CUSTOMER", {
      manualRuleInstances: { one: instanceOf(from, rule, "Email") },
      overallDqThresholds,
    });
    for (const item of ["SALES_ORDER", "PRODUCT"])
      configurePrimary(from, item, { schedule, overallDqThresholds });
    return ["CUSTOMER", "SALES_ORDER", "PRODUCT"].map((item) => from.primary(item));
  },
  spoil: ({ source }, urn) => refusedMonitor(source, urn),
  edit: (from, urn) =>
    editMonitor(from, urn, { invalidSamplesConfiguration: { enabled: true, sampleSize: 7 } }),
});

test("an item of the target without a primary monitor is said to have none: it is there itself", async () => {
  const at = await stage();
  configurePrimary(at.source, "CUSTOMER", { schedule: { cronExpression: "0 0 5 * * ?" } });
  const { urn, primaryMonitorUrn, ...item } = wanted(
    at.target.tenant.items.get(at.target.item("CUSTOMER")),
    "CUSTOMER",
  );
  removeMonitor(at.target, wanted(primaryMonitorUrn, "CUSTOMER"));
  at.target.tenant.items.put({ urn, ...item });
  const result = await apply(at, { select: { kinds: ["monitors"] } });
  const { diagnostics } = expectChange(
    result,
    at.source.primary("CUSTOMER"),
    "blocked",
    `what it lies over is there ("CUSTOMER", ${urn}), and shows none of these: primary-monitors`,
  );
  expect(diagnostics).toMatchObject([
    { code: "no-own", suggestion: expect.stringContaining("run again") as string },
  ]);
});
