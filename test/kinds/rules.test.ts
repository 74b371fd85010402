import { rules } from "../../src/kinds/rules.ts";
import { seedRule } from "../diff/support/content.ts";
import { editRule, removeRule } from "../diff/support/web.ts";
import { contract } from "./contract.ts";
import { refusedRule } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: rules,
  plan: { select: { kinds: ["rules"] } },
  routes: {
    create: "POST /api/data-quality/v1/rules/batch/create",
    patch: "PATCH /api/data-quality/v1/rules/:urn",
    publish: "POST /api/data-quality/v1/rules/:urn/publish",
    delete: "DELETE /api/data-quality/v1/rules/:urn",
  },
  seed: (from) => times(101, (number) => seedRule(from, `Rule ${number}`)),
  spoil: ({ source }, urn) => refusedRule(source, urn),
  edit: (from, urn) => editRule(from, urn, { description: "Changed" }),
  drop: removeRule,
});
