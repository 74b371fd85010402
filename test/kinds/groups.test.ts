import { seedGroup } from "../../src/emulator/seed.ts";
import { groups } from "../../src/kinds/groups.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { contract } from "./contract.ts";
import { ruleOwnedBy } from "./support/users.ts";
import { expect, test } from "vitest";
import { changeOf, fresh } from "./support/place.ts";

contract({
  kind: groups,
  select: ["rules"],
  seed: ({ tenant }, name) => seedGroup(tenant, { name }).urn,
  user: ruleOwnedBy,
  pairing: (source, target) => ({ groups: { [uuidOf(source)]: uuidOf(target) } }),
});

test("a group that the plan does not name is left out where policy says so, and that is told", async () => {
  const at = await fresh();
  const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
  const user = ruleOwnedBy(at.source, urn);
  const change = changeOf(
    await at.apply({ select: { kinds: ["rules"] }, policy: { missingGroup: "drop" } }),
    user,
  );
  expect(change).toMatchObject({ action: "create", outcome: "done" });
  const told = change.diagnostics.find(({ pointer }) => pointer === "/groupUrn");
  expect(told?.severity).toBe("warning");
  const twin = at.target.body(await at.twinOf(user));
  expect(twin).not.toHaveProperty("groupUrn");
  expect(twin["name"]).toBe(change.source?.name);
});

test("a group that the plan does not name says that only the plan can, with the line for it", async () => {
  const at = await fresh();
  const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
  const user = ruleOwnedBy(at.source, urn);
  const change = changeOf(await at.apply({ select: { kinds: ["rules"] } }), user);
  expect(change).toMatchObject({
    action: "blocked",
    reason: expect.stringContaining("groups are paired only there: no interface lists them"),
  });
  expect(change.diagnostics[0]?.suggestion).toBe(
    `In the plan, under pairing.groups, add \`"${uuidOf(urn)}": "<uuid at the target>"\`; or set policy.missingGroup to drop, which leaves the reference out`,
  );
});

test("the plan's UUID is taken as it stands: no interface lists groups", async () => {
  const at = await fresh();
  const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
  const { urn: twin } = seedGroup(at.target.tenant, { name: "Another name" });
  const user = ruleOwnedBy(at.source, urn);
  await at.apply({ select: { kinds: ["rules"] }, pairing: { groups: { [uuidOf(urn)]: uuidOf(twin) } } });
  expect(at.target.body(await at.twinOf(user))).toHaveProperty("groupUrn", twin);
});
