import { removeMetadataType, seedGroup } from "../../src/emulator/seed.ts";
import { groups } from "../../src/kinds/groups.ts";
import type { Urn } from "../../src/model/urn.ts";
import { uuidOf } from "../../src/model/urn.ts";
import { contract } from "./contract.ts";
import { ruleOwnedBy } from "./support/users.ts";
import { expect, test } from "vitest";
import { changeOf, fresh, type Place } from "./support/place.ts";

contract({
  kind: groups,
  select: ["rules"],
  seed: ({ tenant }, name) => seedGroup(tenant, { name }).urn,
  user: ruleOwnedBy,
});

/** No document says that groups can be listed. */
const notListed = ["the target", "the source", "neither side"] as const;

function withoutList({ source, target }: Place, where: (typeof notListed)[number]): void {
  if (where !== "the source") removeMetadataType(target.tenant, "group");
  if (where !== "the target") removeMetadataType(source.tenant, "group");
}

const rules = { select: { kinds: ["rules"] } };

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

test.each(notListed)(
  "a group that the plan does not name says that only the plan can, with the line for it, where %s lists none",
  async (where) => {
    const at = await fresh();
    const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
    seedGroup(at.target.tenant, { name: "Stewards" });
    withoutList(at, where);
    const user = ruleOwnedBy(at.source, urn);
    const change = changeOf(await at.apply({ select: { kinds: ["rules"] } }), user);
    expect(change).toMatchObject({
      action: "blocked",
      reason: expect.stringContaining("groups are paired only there: no interface lists them"),
    });
    expect(change.diagnostics[0]?.suggestion).toBe(
      `In the plan, under pairing.groups, add \`"${uuidOf(urn)}": "<uuid at the target>"\`; or set policy.missingGroup to drop, which leaves the reference out`,
    );
  },
);

test.each(notListed)(
  "the plan's UUID is taken as it stands, also where %s lists no groups",
  async (where) => {
    const at = await fresh();
    const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
    const { urn: twin } = seedGroup(at.target.tenant, { name: "Another name" });
    withoutList(at, where);
    const user = ruleOwnedBy(at.source, urn);
    await at.apply({ select: { kinds: ["rules"] }, pairing: { groups: { [uuidOf(urn)]: uuidOf(twin) } } });
    expect(at.target.body(await at.twinOf(user))).toHaveProperty("groupUrn", twin);
  },
);

test.each([
  ["the source's", true, false],
  ["the target's", false, true],
  ["both", true, true],
] as const)("a UUID is one whatever letters the plan has it in: %s", async (_whose, isSource, isTarget) => {
  const at = await fresh();
  const letters = (urn: Urn, isUpper: boolean): string => (isUpper ? uuidOf(urn).toUpperCase() : uuidOf(urn));
  const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
  // What has the same name is not what the plan says.
  seedGroup(at.target.tenant, { name: "Stewards" });
  const { urn: twin } = seedGroup(at.target.tenant, { name: "Another name" });
  const user = ruleOwnedBy(at.source, urn);
  const plan = { ...rules, pairing: { groups: { [letters(urn, isSource)]: letters(twin, isTarget) } } };
  await at.apply(plan);
  expect(at.target.body(await at.twinOf(user))).toHaveProperty("groupUrn", twin);
});

test("the plan's word comes before the name, and a group that it gives to another is nobody else's by its name", async () => {
  const at = await fresh();
  const [stewards, owners] = ["Stewards", "Owners"].map((name) => seedGroup(at.source.tenant, { name }).urn);
  const [theirs, others] = ["Stewards", "Helpers"].map((name) => seedGroup(at.target.tenant, { name }).urn);
  if (stewards === undefined || owners === undefined || theirs === undefined || others === undefined)
    throw new Error();
  const users = [stewards, owners].map((urn) => ruleOwnedBy(at.source, urn));
  const plan = { ...rules, pairing: { groups: { [uuidOf(owners)]: uuidOf(theirs) } } };
  const result = await at.apply(plan);
  expect(changeOf(result, users[0] ?? "")).toMatchObject({ action: "blocked" });
  expect(at.target.body(await at.twinOf(users[1] ?? ""))).toHaveProperty("groupUrn", theirs);
});

test("each side is asked once where something refers to a group, and where nothing does neither is", async () => {
  const at = await fresh();
  const asked = (tenant: string): number =>
    at.world.emulator.log.entries.filter(
      (entry) => entry.tenant === tenant && entry.query["entityType"] === "group",
    ).length;
  await at.apply(rules);
  expect([asked("dev"), asked("prod")]).toEqual([0, 0]);
  const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
  const { urn: twin } = seedGroup(at.target.tenant, { name: "Stewards" });
  ruleOwnedBy(at.source, urn);
  await at.apply({ ...rules, pairing: { groups: { [uuidOf(urn)]: uuidOf(twin) } } });
  expect([asked("dev"), asked("prod")]).toEqual([1, 1]);
  await at.apply(rules);
  expect([asked("dev"), asked("prod")]).toEqual([1, 1]);
});

test("a list that the client may not read is no trouble", async () => {
  const at = await fresh();
  const { urn } = seedGroup(at.source.tenant, { name: "Stewards" });
  const { urn: twin } = seedGroup(at.target.tenant, { name: "Stewards" });
  const user = ruleOwnedBy(at.source, urn);
  at.world.emulator.faults.add({
    match: { tenant: "dev", route: "GET /api/catalog/v1/entities" },
    effect: { type: "status", code: 403 },
  });
  const plan = { ...rules, pairing: { groups: { [uuidOf(urn)]: uuidOf(twin) } } };
  expect((await at.apply(plan)).exitCode).toBe(0);
  expect(at.target.body(await at.twinOf(user))).toHaveProperty("groupUrn", twin);
});

test.each([
  ["listed", "in the same letters"],
  ["listed", "in others"],
  ["not listed", "in the same letters"],
  ["not listed", "in others"],
])(
  "two groups that the plan gives one group at the target (%s, %s) are told as that",
  async (list, letters) => {
    const at = await fresh();
    const [one, other] = ["Stewards", "Owners"].map((name) => seedGroup(at.source.tenant, { name }).urn) as [
      Urn,
      Urn,
    ];
    const there = uuidOf(seedGroup(at.target.tenant, { name: "All" }).urn);
    const users = [one, other].map((urn) => ruleOwnedBy(at.source, urn));
    if (list !== "listed") withoutList(at, "neither side");
    const again = letters === "in others" ? there.toUpperCase() : there;
    const pairing = { groups: { [uuidOf(one)]: again, [uuidOf(other)]: there } };
    const result = await at.apply({ ...rules, pairing });
    for (const user of users)
      expect(changeOf(result, user)).toMatchObject({
        action: "blocked",
        reason: expect.stringContaining("several things at the source fit the same one at the target"),
      });
  },
);
