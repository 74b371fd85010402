import { dashboards } from "../../src/kinds/dashboards.ts";
import { seedDashboard } from "../diff/support/content.ts";
import { contract } from "./contract.ts";
import { refusedDashboard } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: dashboards,
  plan: { select: { kinds: ["dashboards"] } },
  routes: {
    create: "POST /api/data-quality/v1/dq-dashboards",
    publish: "POST /api/data-quality/v1/dq-dashboards/:urn/publish",
  },
  seed: (from) => times(3, (number) => seedDashboard(from, `Dashboard ${number}`)),
  spoil: ({ source }, urn) => refusedDashboard(source, urn),
  stays: true,
});
