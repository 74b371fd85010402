import { terms } from "../../src/kinds/terms.ts";
import { seedTerm } from "../diff/support/content.ts";
import { editTerm, removeTerm } from "../diff/support/web.ts";
import { contract } from "./contract.ts";
import { refusedTerm } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: terms,
  plan: { select: { kinds: ["terms"] } },
  routes: {
    create: "POST /api/catalog/v1/terms/bulk",
    patch: "PATCH /api/catalog/v1/terms/:urn",
    delete: "DELETE /api/catalog/v1/terms/:urn",
  },
  seed: (from) => times(101, (number) => seedTerm(from, `Term ${number}`)),
  spoil: ({ source }, urn) => refusedTerm(source, urn),
  edit: (from, urn) => editTerm(from, urn, { description: "Changed" }),
  drop: removeTerm,
});
