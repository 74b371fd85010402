import { describe, expect, test } from "vitest";
import {
  seedDetectionRule,
  seedDimension,
  seedRule,
  seedSource,
  seedTransformation,
} from "../../src/emulator/seed.ts";
import { doctorPlan } from "../../src/operations/doctor/index.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Side } from "../diff/support/side.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";
import { ruleOfDimension, ruleTransformedBy, termAbout, termDetectedBy } from "./support/users.ts";

/** A list of given things that is refused says nothing about what there is: it is not known, and the next run looks again. */
interface Subject {
  readonly kind: string;
  readonly path: string;
  readonly seed: (side: Side, name: string) => Urn;
  readonly user: (from: Side, given: Urn, to: Side) => Urn;
}

const quality = "/api/data-quality/v1";
const entities = "/api/catalog/v1/entities";
const results = [{ name: "Fine", passedOverallResult: true }];

const subjects: readonly Subject[] = [
  {
    kind: "sources",
    path: entities,
    seed: ({ tenant }, name) => seedSource(tenant, { name }).urn,
    user: termAbout("source"),
  },
  {
    kind: "detection-rules",
    path: entities,
    seed: ({ tenant }, name) => seedDetectionRule(tenant, { name }).urn,
    user: termDetectedBy,
  },
  {
    kind: "transformations",
    path: `${quality}/transformations`,
    seed: ({ tenant }, name) => seedTransformation(tenant, { name, inputDataType: "STRING" }).urn,
    user: ruleTransformedBy,
  },
  {
    kind: "dimensions",
    path: `${quality}/dq-dimensions`,
    seed: ({ tenant }, name) => seedDimension(tenant, { name, results }).urn,
    user: ruleOfDimension,
  },
];

const plan = { select: { kinds: ["terms", "rules"] } };

function refuse({ world }: Place, tenant: string, path: string, code: number): () => void {
  return world.emulator.faults.add({ match: { tenant, path }, effect: { type: "status", code } });
}

describe.each(subjects)("$kind that cannot be listed", ({ kind, path, seed, user }) => {
  test.each([
    ["dev", "source", 400],
    ["prod", "target", 400],
    ["dev", "source", 404],
    ["prod", "target", 404],
  ])(
    "at %s are not known at the %s (%i), and that is said; the next run looks again",
    async (tenant, side, code) => {
      const at = await fresh();
      const given = seed(at.source, "Thing");
      seed(at.target, "Thing");
      const users = [user(at.source, given, at.target), user(at.source, given, at.target)];
      const mend = refuse(at, tenant, path, code);
      const first = await at.apply(plan);
      for (const one of users) {
        const { action, reason, diagnostics } = changeOf(first, one);
        expect(action).toBe("blocked");
        expect(reason).toContain(
          `what ${kind.replace("-", " ")} there are at the ${side} is not known: GET ${path} at "${tenant}"`,
        );
        expect(reason).toContain(`(${code})`);
        expect(diagnostics[0]?.suggestion).toContain("`ferry mappings test set urn:");
        expect(reason).not.toContain("nothing at the target fits it");
      }
      const keys = users.flatMap((one) => changeOf(first, one).diagnostics.map(({ cause }) => cause?.key));
      expect(new Set(keys)).toEqual(new Set([`not-known ${kind} ${side}`]));
      mend();
      const second = await at.apply(plan);
      for (const one of users)
        expect(changeOf(second, one)).toMatchObject({ action: "create", outcome: "done" });
    },
  );
});

test.each(subjects.filter(({ kind }) => kind !== "dimensions"))(
  "$kind that a person paired are paired, though neither side can list them",
  async ({ path, seed, user }) => {
    const at = await fresh();
    const [source, target] = [seed(at.source, "Thing"), seed(at.target, "Another")];
    const one = user(at.source, source, at.target);
    for (const tenant of ["dev", "prod"]) refuse(at, tenant, path, 400);
    const { diagnostics } = await setMappings(at.world.migration(), [{ source, target }], { check: true });
    expect(diagnostics.map(({ code }) => code)).toContain("pair-unchecked");
    expect(changeOf(await at.apply(plan), one)).toMatchObject({ action: "create", outcome: "done" });
    expect(JSON.stringify(at.target.body(await at.twinOf(one)))).toContain(target);
  },
);

test("what differs from its namesake only in something that is not known is not told as another thing", async () => {
  const at = await fresh();
  const [here, there] = [at.source, at.target].map((side) =>
    seedDimension(side.tenant, { name: "Thing", results }),
  );
  const one = ruleOfDimension(at.source, here?.urn ?? ("" as Urn));
  const { name } = at.source.body(one);
  const twin = ruleOfDimension(at.target, there?.urn ?? ("" as Urn));
  const published = { ...at.target.body(twin), name } as never;
  at.target.tenant.rules.put({ urn: twin, published, draftType: "NONE" });
  const mend = refuse(at, "prod", `${quality}/dq-dimensions`, 404);
  const { reason, diagnostics } = changeOf(await at.diff(plan), one);
  expect(reason).toContain("what dimensions there are at the target is not known");
  expect(diagnostics[0]?.suggestion).toMatch(
    /^Run again when they can be listed.* Then look again\. Otherwise/,
  );
  mend();
  expect(changeOf(await at.diff(plan), one).action).not.toBe("blocked");
});

test("all that may be why it differs is told, and not the first alone", async () => {
  const at = await fresh();
  const rules = [at.source, at.target].map(({ tenant }, index) => {
    const given = seedDimension(tenant, { name: "Thing", results });
    const { urn } = seedTransformation(tenant, { name: "Thing", inputDataType: "STRING" });
    const resultUrn = given.results[0]?.urn ?? "";
    const input = {
      name: "value",
      dataType: "STRING",
      transformations: { first: { transformationUrn: urn } },
    };
    return seedRule(tenant, {
      name: "Email",
      description: `What side ${index} says`,
      inputGroups: { main: { joined: false, inputs: { value: input } } },
      implementation: {
        dqDimensionUrn: given.urn,
        conditions: { bad: { stringExpression: "value is null", resultUrn } },
      },
    });
  });
  refuse(at, "prod", `${quality}/dq-dimensions`, 404);
  refuse(at, "prod", `${quality}/transformations`, 400);
  const { reason } = changeOf(await at.diff(plan), rules[0]?.urn ?? "");
  expect(reason).toContain("has one of the same name with other content");
  for (const kind of ["dimensions", "transformations"])
    expect(reason).toContain(`what ${kind} there are at the target is not known`);
});

test("a pair is not refused because one side cannot list its kind", async () => {
  const at = await fresh();
  const source = seedTransformation(at.source.tenant, { name: "Thing", inputDataType: "STRING" }).urn;
  const target = seedTransformation(at.target.tenant, { name: "Another", inputDataType: "STRING" }).urn;
  refuse(at, "prod", `${quality}/transformations`, 400);
  const { diagnostics } = await setMappings(at.world.migration(), [{ source, target }], { check: true });
  expect(diagnostics.map(({ code }) => code)).toContain("pair-unchecked");
});

test.each([
  ["dev", "source"],
  ["prod", "target"],
])("doctor does not tell of sources without a twin when %s cannot list them", async (tenant, side) => {
  const at = await fresh();
  seedSource(at.source.tenant, { name: "Thing" });
  refuse(at, tenant, entities, 400);
  const { diagnostics, details } = await doctorPlan(at.world.migration(plan));
  const told = diagnostics.filter(({ code }) => code === "doctor-not-known").map(({ summary }) => summary);
  expect(told[0]).toContain(`sources: what sources there are at the ${side} is not known: GET ${entities}`);
  expect(diagnostics.map(({ code }) => code)).not.toContain("doctor-unpaired");
  const { checks } = details as { checks: readonly { name: string; state: string }[] };
  expect(checks.find(({ name }) => name === "pairing")?.state).toBe("warning");
});
