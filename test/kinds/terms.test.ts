import { expect, test } from "vitest";
import { list, type JsonObject } from "../../src/emulator/json.ts";
import { seedAssignment } from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { front, through } from "../support/front.ts";
import { fresh } from "./support/place.ts";
import { terms } from "../../src/kinds/terms.ts";
import { seedTerm } from "../diff/support/content.ts";
import { wanted } from "../diff/support/side.ts";
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

test("terms of one type and name are told apart where the answer has them in another order", async () => {
  const at = await fresh();
  const [termUrn] = ["First", "Second"].map((description) => seedTerm(at.source, "Status", { description }));
  const attributeUrn = at.source.attribute("CUSTOMER", "EMAIL");
  seedAssignment(at.source.tenant, { attributeUrn, termUrn: wanted(termUrn, "First") });
  const target = await front(at.world.emulator.baseUrl("prod"), {
    answer(body, path) {
      if (!path.endsWith("/terms/bulk")) return body;
      const said = JSON.parse(body) as JsonObject;
      return JSON.stringify({ ...said, data: list(said, "data").toReversed() });
    },
  });
  const plan = { select: { kinds: ["terms", "term-assignments"] } } as const;
  const migration = at.world.migration(plan, through(at.world, plan, { target: target.url }));
  expect((await applyPlan(migration, { confirm: async () => true })).exitCode).toBe(exitCodes.done);
  const email = wanted(at.target.tenant.attributes.get(at.target.attribute("CUSTOMER", "EMAIL")), "EMAIL");
  const assigned = email.termAssignments.map((one) => at.target.body(one.termUrn)["description"]);
  expect(assigned).toEqual(["First"]);
  expect(at.target.tenant.terms.size).toBe(2);
});
