import { primaryMonitors } from "../../src/kinds/primary-monitors.ts";
import { configurePrimary, instanceOf, seedRule } from "../diff/support/content.ts";
import { editMonitor } from "../diff/support/web.ts";
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
