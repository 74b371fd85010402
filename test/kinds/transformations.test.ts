import { seedTransformation } from "../../src/emulator/seed.ts";
import { transformations } from "../../src/kinds/transformations.ts";
import { wanted } from "../diff/support/side.ts";
import { contract } from "./contract.ts";
import { ruleTransformedBy, seedRule } from "./support/users.ts";
import { expect, test } from "vitest";
import { ServiceError } from "../../src/service/index.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";

contract({
  kind: transformations,
  select: ["rules"],
  seed: ({ tenant }, name) => seedTransformation(tenant, { name, inputDataType: "STRING" }).urn,
  user: ruleTransformedBy,
});

const plan = { select: { kinds: ["rules"] } };
const path = "/api/data-quality/v1/transformations";

function refuse({ world }: Place, code: number): void {
  world.emulator.faults.add({ match: { path }, effect: { type: "status", code } });
}

test("the name alone is not enough: the input type counts", async () => {
  const at = await fresh();
  const [source, ...twins] = [at.source, at.target, at.target].map(({ tenant }, index) =>
    seedTransformation(tenant, { name: "Thing", inputDataType: index === 1 ? "FLOAT" : "DOUBLE" }),
  );
  const user = ruleTransformedBy(at.source, wanted(source, "transformation").urn);
  await at.apply(plan);
  const body = JSON.stringify(at.target.body(await at.twinOf(user)));
  expect(body).toContain(twins[1]?.urn);
  expect(body).not.toContain(twins[0]?.urn);
});

test.each([404, 400])(
  "an environment without the path (%i) leaves them to explicit mappings",
  async (code) => {
    const at = await fresh();
    const { urn: source } = seedTransformation(at.source.tenant, { name: "Thing", inputDataType: "STRING" });
    const { urn: target } = seedTransformation(at.target.tenant, { name: "Thing", inputDataType: "STRING" });
    const [user, other] = [ruleTransformedBy(at.source, source), seedRule(at.source)];
    refuse(at, code);
    const first = await at.apply(plan);
    expect(changeOf(first, user).action).toBe("blocked");
    expect(changeOf(first, user).diagnostics[0]?.suggestion).toContain(
      `\`ferry mappings test set ${source} <target urn>\``,
    );
    expect(changeOf(first, other)).toMatchObject({ action: "create", outcome: "done" });
    await setMappings(at.world.migration(), [{ source, target }]);
    expect(changeOf(await at.apply(plan), user)).toMatchObject({ action: "create", outcome: "done" });
    expect(JSON.stringify(at.target.body(await at.twinOf(user)))).toContain(target);
  },
);

test("a list that may not be read is an error and no emptiness", async () => {
  const at = await fresh();
  const { urn } = seedTransformation(at.source.tenant, { name: "Thing", inputDataType: "STRING" });
  ruleTransformedBy(at.source, urn);
  refuse(at, 403);
  await expect(at.apply(plan)).rejects.toThrow(ServiceError);
  expect(at.writes()).toEqual([]);
});
