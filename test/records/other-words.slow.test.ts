import { expect, test } from "vitest";
import { address, crm, crmProd, party, put, stage } from "./masters-stage.ts";
import { countsOf } from "./support.ts";

/** Somebody edits by what the plan tells rows apart (origins, key, the table of the target), after rows were brought by other words. */

const [erp, erpProd] = ["erp#party#Dev", "erp#party#Prod"];

test.each([
  ["no relations", []],
  ["relations", ["addresses"]],
] as const)(
  "a plan that names one more origin knows the rows of the others still (%s)",
  async (_what, relationships) => {
    const here = await stage([{ ...party, relationships: [...relationships] }]);
    put(here.dev, "1", { src_name: "a" });
    put(here.dev, "2", { src_name: "b" }, { origin: erp });
    await here.apply();
    put(here.prod, "1", { src_name: "theirs" });
    here.name({ ...party, relationships: [...relationships], origins: { [crm]: crmProd, [erp]: erpProd } });
    for (const create of [1, 0]) {
      expect(countsOf(await here.diff())).toMatchObject({ drift: 1, update: 0, create });
      expect(countsOf(await here.apply())).toMatchObject({ drift: 1, update: 0, create });
      expect(here.prod.byKey("party", crmProd, "1")?.source).toMatchObject({ src_name: "theirs" });
    }
  },
);

test("so it does where it names the origins of another entity as well, to which its records are related", async () => {
  const named = { ...party, relationships: ["addresses"] };
  const here = await stage([named]);
  for (const id of ["1", "2", "3"]) put(here.dev, id, { src_name: "a" });
  await here.apply();
  put(here.prod, "1", { src_name: "theirs" });
  put(here.dev, "2", { src_name: "b" });
  here.name(named, address);
  expect(countsOf(await here.diff())).toMatchObject({ drift: 1, update: 1, unchanged: 1 });
  expect(countsOf(await here.apply())).toMatchObject({ drift: 1, update: 1, unchanged: 1 });
});
