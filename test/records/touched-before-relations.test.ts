import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { address, adr, crmProd, party, put, stage } from "./masters-stage.ts";

/** Relations are written when all rows of all tables are: until then somebody may have removed the record that they are of. */
test("a record that is only to be related, and that somebody removes while the others are written, is left and named", async () => {
  const here = await stage([{ ...party, relationships: ["addresses"] }, address]);
  const row = put(here.dev, "A", { src_name: "a" });
  const at = { entity: "address", origin: adr };
  const home = put(here.dev, "HOME", { src_street: "1" }, at);
  await here.apply();
  books.relate(here.dev, row, "addresses", home);
  put(here.dev, "SHOP", { src_street: "2" }, at);
  const off = here.made.emulator.on(({ phase, entry }) => {
    if (phase !== "answered" || entry.method !== "PUT" || !entry.path.endsWith("SHOP")) return;
    off();
    const there = here.prod.byKey("party", crmProd, "A");
    if (there !== undefined) here.prod.instances("party")?.delete(there);
  });
  const result = await here.apply();
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(result.changes.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
    expect.objectContaining({
      code: "row-refused",
      summary: expect.stringContaining("somebody has changed it since it was compared"),
    }),
  );
  expect((await here.diff()).summary).toMatchObject({ drift: 1 });
});
