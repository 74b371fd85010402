import { describe, expect, test } from "vitest";
import { seedMetadataProperty } from "../../src/emulator/seed.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { type Side, wanted } from "../diff/support/side.ts";
import { seedFolder, seedTerm } from "../diff/support/content.ts";
import { editFolder } from "../diff/support/web.ts";
import { fresh, type Place } from "./support/place.ts";

const plan = { select: { kinds: ["terms", "folders"] } };

const kinds = [
  [
    "terms",
    "term",
    (side: Side) => seedTerm(side, "One"),
    ({ tenant }: Side, urn: Urn, extraProperties: JsonObject) => {
      const term = wanted(tenant.terms.get(urn), urn);
      tenant.terms.put({ ...term, published: { ...wanted(term.published, urn), extraProperties } });
    },
    ({ tenant }: Side) =>
      [...tenant.terms.values()].find(({ published }) => published?.name === "One")?.published,
  ],
  [
    "folders",
    "folder",
    (side: Side) => seedFolder(side, "One"),
    (side: Side, urn: Urn, extraProperties: JsonObject) => editFolder(side, urn, { extraProperties }),
    ({ tenant }: Side) => [...tenant.folders.values()].find(({ name }) => name === "One"),
  ],
] as const;

function withProperties({ source, target }: Place, type: string): void {
  for (const { tenant } of [source, target]) {
    seedMetadataProperty(tenant, type, { name: "owner" });
    seedMetadataProperty(tenant, type, { name: "related", type: "ARRAY_REFERENCE", entityName: "term" });
    seedMetadataProperty(tenant, type, { name: "readers", scalarType: "string[]" });
  }
}

/** "A scalar is cleared with null, a reference array with []" (document 1, "Extra properties"). */
describe.each(kinds)("extra properties of %s that the source clears", (_kind, type, seed, edit, shown) => {
  test.each(["null", "absent"] as const)(
    "are cleared, and come back with a rollback (unset is %s)",
    async (unset) => {
      const at = await fresh();
      for (const { tenant } of [at.source, at.target]) tenant.quirks.unset = unset;
      withProperties(at, type);
      const urn = seed(at.source);
      const related = seedTerm(at.source, "Related");
      edit(at.source, urn, { owner: "Ada", related: [related], readers: ["Bo"] });
      expect((await at.apply(plan)).exitCode).toBe(0);
      const whole = { owner: "Ada", related: [at.target.term("Related")], readers: ["Bo"] };
      expect(shown(at.target)?.extraProperties).toEqual(whole);

      edit(at.source, urn, {});
      expect((await at.apply(plan)).exitCode).toBe(0);
      expect(at.writes().map(({ body }) => body)).toEqual([
        { extraProperties: { owner: null, related: [], readers: [] } },
      ]);
      expect(shown(at.target)?.extraProperties).toEqual({});
      expect((await at.apply(plan)).changes).toEqual([]);

      const back = await rollbackRun(at.world.migration(plan), { confirm: async () => true });
      expect(back.exitCode).toBe(0);
      expect(shown(at.target)?.extraProperties).toEqual(whole);
    },
  );
});
