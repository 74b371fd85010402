import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { crmProd, party, put, stage } from "./masters-stage.ts";

/** Two hundred columns of long names: all of them in one address is more than a server takes. */
const names = Array.from(
  { length: 200 },
  (_, index) => `src_${"measured_at_the_counter_".repeat(4)}${index}`,
);

test("columns that a plan writes out are looked for in addresses that servers take", async () => {
  const here = await stage([{ ...party, columns: names }]);
  const columns = names.map((name) => ({ name, type: "STRING" as const }));
  for (const data of [here.dev, here.prod]) {
    books.remodel(data, "party", columns);
    data.quirks.metadata = "absent";
  }
  const attributes = Object.fromEntries(names.map((name) => [name, "a value"]));
  put(here.dev, "A", attributes);
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.done);
  expect(books.findInstance(here.prod, "party", crmProd, "A")?.source).toEqual(attributes);
  // The last of them is looked for, too.
  here.name({ ...party, columns: [...names, "src_unknown"] });
  const wrong = await here.apply();
  expect(wrong.exitCode).toBe(exitCodes.partial);
  expect(JSON.stringify(wrong.changes)).toContain("There is no column src_unknown");
});
