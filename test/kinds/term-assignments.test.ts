import { describe, expect, test } from "vitest";
import { linkRuleToTerm, seedAssignment, seedAttribute } from "../../src/emulator/seed.ts";
import { termAssignments } from "../../src/kinds/term-assignments.ts";
import type { Urn } from "../../src/model/urn.ts";
import { seedRule, seedTerm } from "../diff/support/content.ts";
import { wanted } from "../diff/support/side.ts";
import { isWhole } from "../support/whole.ts";
import { contract } from "./contract.ts";
import { changeOf, fresh, type Place } from "./support/place.ts";
import { goneWhenWritten } from "./support/spoil.ts";
import { times } from "./support/times.ts";

contract({
  kind: termAssignments,
  plan: { select: { kinds: ["term-assignments"] } },
  routes: { assign: "POST /api/catalog/v1/attributes/term-assignments/batch/assign" },
  seed(from, to) {
    const termUrns = [seedTerm(from, "First"), seedTerm(from, "Second")];
    return times(101, (number) => {
      const [attribute] = [from, to].map((side) =>
        seedAttribute(side.tenant, side.item("CUSTOMER"), `COLUMN_${number}`),
      );
      const { urn } = wanted(attribute, "attribute");
      for (const termUrn of termUrns) seedAssignment(from.tenant, { attributeUrn: urn, termUrn });
      return urn;
    });
  },
  edit(from, urn) {
    const termUrn = seedTerm(from, `Third for ${urn}`);
    seedAssignment(from.tenant, { attributeUrn: urn, termUrn });
  },
  spoil: goneWhenWritten,
  stays: true,
});

const route = "POST /api/catalog/v1/attributes/term-assignments/batch/assign";

async function twoAttributes(): Promise<{ at: Place; termUrn: Urn }> {
  const at = await fresh();
  const termUrn = seedTerm(at.source, "Personal");
  for (const name of ["EMAIL", "PHONE"]) {
    const attributeUrn = at.source.attribute("CUSTOMER", name);
    const source = name === "EMAIL" ? "MANUAL" : "TERM_DETECTION";
    seedAssignment(at.source.tenant, { attributeUrn, termUrn, source });
  }
  return { at, termUrn };
}

const plan = { select: { kinds: ["term-assignments"] } };

test("moves what a person assigned; what was detected is the target's own business", async () => {
  const { at } = await twoAttributes();
  const result = await at.apply(plan);
  const moved = result.changes.filter((change) => change.kind === termAssignments.name);
  expect(moved.map((change) => change.source?.name)).toEqual(["EMAIL"]);
  const assigned = [...at.target.tenant.attributes.values()].filter(
    ({ termAssignments }) => termAssignments.length > 0,
  );
  expect(assigned.map(({ name }) => name)).toEqual(["EMAIL"]);
});

test("adds to what the target has, and takes nothing away", async () => {
  const { at } = await twoAttributes();
  const own = seedTerm(at.target, "Own");
  const attributeUrn = at.target.attribute("CUSTOMER", "EMAIL");
  seedAssignment(at.target.tenant, { attributeUrn, termUrn: own });
  await at.apply(plan);
  const terms = at.target.tenant.attributes
    .get(attributeUrn)
    ?.termAssignments.map((assignment) => assignment.termUrn);
  expect(terms).toEqual([own, at.target.term("Personal")]);
  expect((await at.diff(plan)).changes).toEqual([]);
  await at.apply(plan);
  expect(at.writes()).toEqual([]);
});

test.each(["drop-before-commit", "drop-after-commit"] as const)(
  "an answer that is lost (%s) is settled by itself",
  async (type) => {
    const { at } = await twoAttributes();
    at.world.emulator.faults.add({ match: { tenant: "prod", route }, when: { times: 1 }, effect: { type } });
    const result = await at.apply(plan);
    expect(result).toMatchObject({ exitCode: 0, summary: { inDoubt: 0, failed: 0 } });
    expect(at.writes().filter((entry) => entry.route === route)).toHaveLength(
      type === "drop-after-commit" ? 1 : 2,
    );
    expect((await at.diff(plan)).changes).toEqual([]);
  },
);

test("one more term waits for no link of those that are assigned there already", async () => {
  const at = await fresh();
  const { source } = at;
  const plan = { select: { kinds: ["terms", "rules", "monitors", "term-assignments"] } };
  const [first, second] = [seedTerm(source, "First"), seedTerm(source, "Second")];
  const rule = seedRule(source, "Email");
  const [column, other] = ["EMAIL", "PHONE"].map((name) => source.attribute("CUSTOMER", name)) as [Urn, Urn];
  seedAssignment(source.tenant, { attributeUrn: column, termUrn: first });
  await at.apply(plan);
  linkRuleToTerm(source.tenant, { termUrn: first, ruleUrn: rule });
  // From here on the source's monitor shows what comes of the link.
  seedAssignment(source.tenant, { attributeUrn: other, termUrn: first });
  seedAssignment(source.tenant, { attributeUrn: column, termUrn: second });
  const result = await at.apply(plan);
  expect(changeOf(result, column)).toMatchObject({ action: "update", outcome: "done" });
  expect(changeOf(result, other)).toMatchObject({
    action: "manual",
    reason: expect.stringContaining("link rules to terms first"),
  });
  const there = at.target.body(at.target.attribute("CUSTOMER", "EMAIL"))["termAssignments"];
  expect(there).toHaveLength(2);
});

describe.runIf(isWhole)(
  "a term that detection has assigned at the target, and a person at the source,",
  () => {
    /** Both sides, and how it stands at the target. */
    async function detected() {
      const { at, termUrn } = await twoAttributes();
      await at.apply({ select: { kinds: ["terms"] } });
      const attributeUrn = at.target.attribute("CUSTOMER", "EMAIL");
      const there = at.target.term("Personal");
      seedAssignment(at.target.tenant, { attributeUrn, termUrn: there, source: "TERM_DETECTION" });
      const assigned = (): unknown => at.target.tenant.attributes.get(attributeUrn)?.termAssignments;
      return { at, termUrn, there, attributeUrn, assigned };
    }

    test("is assigned, and that is all, where the service makes it a person's", async () => {
      const { at, there, assigned } = await detected();
      expect(await at.apply(plan, { verify: true })).toMatchObject({ exitCode: 0, summary: { update: 1 } });
      expect(assigned()).toEqual([{ termUrn: there, source: "MANUAL" }]);
      expect(await at.apply(plan, { verify: true })).toMatchObject({ exitCode: 0, summary: { update: 0 } });
      expect(at.writes()).toEqual([]);
    });

    test("is assigned once where the service keeps it as detected", async () => {
      const { at, there, assigned } = await detected();
      at.target.tenant.quirks.assignedDetected = "TERM_DETECTION";
      expect(await at.apply(plan, { verify: true })).toMatchObject({ exitCode: 0, summary: { update: 1 } });
      expect(assigned()).toEqual([{ termUrn: there, source: "TERM_DETECTION" }]);
      expect(await at.apply(plan, { verify: true })).toMatchObject({ exitCode: 0, summary: { update: 0 } });
      expect(at.writes()).toEqual([]);
      expect((await at.diff(plan)).changes).toEqual([]);
    });

    test("is assigned again when detection has taken it away, and another one is added beside it", async () => {
      const { at, there, attributeUrn, assigned } = await detected();
      at.target.tenant.quirks.assignedDetected = "TERM_DETECTION";
      await at.apply(plan);
      const column = at.target.tenant.attributes.get(attributeUrn);
      if (column === undefined) throw new Error("the column is missing");
      at.target.tenant.attributes.put({ ...column, termAssignments: [] });
      expect(await at.apply(plan, { verify: true })).toMatchObject({ exitCode: 0, summary: { update: 1 } });
      expect(assigned()).toEqual([{ termUrn: there, source: "MANUAL" }]);

      at.target.tenant.attributes.put({
        ...column,
        termAssignments: [{ termUrn: there, source: "TERM_DETECTION" }],
      });
      const second = seedTerm(at.source, "Second");
      seedAssignment(at.source.tenant, {
        attributeUrn: at.source.attribute("CUSTOMER", "EMAIL"),
        termUrn: second,
      });
      await at.apply(plan, { verify: true });
      expect(assigned()).toEqual([
        { termUrn: there, source: "TERM_DETECTION" },
        { termUrn: at.target.term("Second"), source: "MANUAL" },
      ]);
      expect(await at.apply(plan, { verify: true })).toMatchObject({ exitCode: 0 });
      expect(at.writes()).toEqual([]);
    });

    test("is assigned, too, where another one was brought to the column before", async () => {
      const { at, there, attributeUrn, assigned } = await detected();
      await at.apply(plan);
      const second = seedTerm(at.source, "Second");
      await at.apply({ select: { kinds: ["terms"] } });
      const found = at.target.term("Second");
      seedAssignment(at.target.tenant, { attributeUrn, termUrn: found, source: "TERM_DETECTION" });
      seedAssignment(at.source.tenant, {
        attributeUrn: at.source.attribute("CUSTOMER", "EMAIL"),
        termUrn: second,
      });
      expect(await at.apply(plan, { verify: true })).toMatchObject({ exitCode: 0, summary: { update: 1 } });
      expect(assigned()).toEqual([
        { termUrn: there, source: "MANUAL" },
        { termUrn: found, source: "MANUAL" },
      ]);
    });

    test("is assigned again where the column cannot be asked for by itself: that makes nothing twice", async () => {
      const { at, there, assigned } = await detected();
      at.target.tenant.quirks.assignedDetected = "TERM_DETECTION";
      await at.apply(plan);
      at.world.emulator.faults.add({
        match: { tenant: "prod", route: "GET /api/catalog/v1/attributes/:urn" },
        effect: { type: "status", code: 403 },
      });
      expect(await at.apply(plan)).toMatchObject({ summary: { update: 1, failed: 0 } });
      expect(assigned()).toEqual([{ termUrn: there, source: "TERM_DETECTION" }]);
    });
  },
);
