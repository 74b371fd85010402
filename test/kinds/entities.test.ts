import { expect, test } from "vitest";
import { entities } from "../../src/kinds/entities.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { seedTerm } from "../diff/support/content.ts";
import { contract } from "./contract.ts";
import { editEntity, removeOne, seedProduct } from "./support/catalog.ts";
import { overTheDemo } from "./support/over-the-demo.ts";
import { times } from "./support/times.ts";

const plan = { select: { kinds: ["terms", "entities"], entityTypes: ["dataProduct", "outputPort"] } };

const batch = "POST /api/catalog/v1/entities/batch";

contract({
  kind: entities,
  plan,
  routes: { create: `${batch}/create`, patch: `${batch}/patch`, delete: `${batch}/delete` },
  seed(from) {
    const domain = seedTerm(from, "Customer");
    return times(101, (number) => seedProduct(from, `Product ${number}`, { tier: number, domain }));
  },
  // A pair that a person named, with a term of another type.
  async spoil({ source, target, world }, urn) {
    const domain = seedTerm(source, "Misfit");
    editEntity(source, urn, { domain });
    const twin = seedTerm(target, "Misfit", { type: "securityTerm" });
    await setMappings(world.migration(), [{ source: domain, target: twin }]);
  },
  edit: (from, urn) => editEntity(from, urn, { status: "Changed" }),
  drop: removeOne,
});

test("entities of the demo come over, parents before their children", async () => {
  const { changes } = await overTheDemo(entities.name, {
    select: {
      kinds: ["folders", "sql-items", "terms", "entities"],
      entityTypes: ["dataProduct", "dataContract", "outputPort"],
    },
  });
  expect(changes.length).toBeGreaterThan(5);
  for (const { action, outcome } of changes) expect([action, outcome]).toEqual(["create", "done"]);
});
