import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { crmProd, party, put, stage } from "./masters-stage.ts";

const revived = "1 row that is deactivated there, by a person or a rollback, is made active";

test("what a rollback has switched off is made active again, and nothing that people set is said to be overwritten by that", async () => {
  const here = await stage([{ ...party, activity: true }]);
  put(here.dev, "A", { src_name: "a" });
  await here.apply();
  expect((await here.back()).exitCode).toBe(exitCodes.done);
  for (const result of [await here.diff(), await here.apply()]) {
    expect(result.headline).not.toContain("overwritten");
    const [change] = result.changes;
    expect(change?.records).toMatchObject({ update: 1, overwrites: 0 });
    expect(change?.diagnostics).toMatchObject([
      {
        severity: "warning",
        code: "row-first-contact",
        summary: `first contact: 1 row is at the target already; nothing that stands there is overwritten; ${revived}`,
      },
    ]);
  }
  expect(here.prod.byKey("party", crmProd, "A")?.activity).not.toBe(false);
  expect((await here.apply()).summary).toMatchObject({ unchanged: 1 });
});

test("what people have said in it meanwhile is told as overwritten beside that", async () => {
  const here = await stage([{ ...party, activity: true }]);
  put(here.dev, "A", { src_name: "a" });
  const there = put(here.prod, "A", { src_name: "steward's" });
  books.setActivity(here.prod, there, false);
  for (const result of [await here.diff(), await here.apply()]) {
    expect(result.changes[0]?.records).toMatchObject({ overwrites: 1 });
    expect(result.changes[0]?.diagnostics[0]?.summary).toContain(
      `of 1 what stands there is overwritten; ${revived}`,
    );
  }
});
