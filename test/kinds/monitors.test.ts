import { monitors } from "../../src/kinds/monitors.ts";
import { seedMonitor, seedRule } from "../diff/support/content.ts";
import { editMonitor, removeMonitor } from "../diff/support/web.ts";
import { contract } from "./contract.ts";
import { refusedMonitor } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: monitors,
  plan: { select: { kinds: ["monitors"] } },
  routes: {
    create: "POST /api/data-quality/v1/dq-monitors/batch/create",
    patch: "PATCH /api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor",
    publish: "POST /api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor/publish",
    delete: "DELETE /api/data-quality/v1/catalog-items/:item/dq-monitors/:monitor",
  },
  seed(from) {
    const rule = seedRule(from, "Email");
    return times(101, (number) => seedMonitor(from, rule, `Monitor ${number}`));
  },
  spoil: ({ source }, urn) => refusedMonitor(source, urn),
  edit: (from, urn) =>
    editMonitor(from, urn, { invalidSamplesConfiguration: { enabled: true, sampleSize: 7 } }),
  drop: removeMonitor,
});
