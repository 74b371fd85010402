import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { crmProd, party, put, stage } from "./masters-stage.ts";

/** A run leaves a row that somebody has changed since it was compared, writes others behind it, and is interrupted. */

test("the one that goes on with it tells of that row as well", async () => {
  const here = await stage([party]);
  here.plan = { ...here.plan, limits: { ...here.plan.limits, concurrency: 1 } };
  for (let at = 0; at < 400; at += 1) put(here.dev, `A${at}`, { src_name: `name ${at}` });
  put(here.prod, "A0", { src_name: "before" });
  const stop = new AbortController();
  let writes = 0;
  const off = here.made.emulator.on(({ phase, entry }) => {
    if (phase === "received" && entry.method === "PUT" && (writes += 1) === 280) stop.abort();
  });
  const confirm = async (): Promise<boolean> => {
    put(here.prod, "A0", { src_name: "theirs" });
    return true;
  };
  const first = await here.apply({ verify: false, confirm }, { stop: stop.signal });
  off();
  const told = (of: typeof first): readonly string[] =>
    of.diagnostics.flatMap(({ code, summary }) => (code === "row-refused" ? [summary] : []));
  const word =
    "the row crm#party#Prod / A0: somebody has changed it since it was compared: the next run looks at it";
  expect([first.exitCode, told(first)]).toEqual([exitCodes.interrupted, [word]]);
  expect(first.changes[0]?.records?.done).toBeGreaterThanOrEqual(100);
  const second = await here.apply();
  expect([second.exitCode, told(second)]).toEqual([exitCodes.partial, [word]]);
  expect(second.changes[0]?.records).toMatchObject({ done: 399, failed: 1 });
  const row = here.prod.byKey("party", crmProd, "A0");
  expect(row && books.instanceBook(here.prod, row).source).toMatchObject({ src_name: "theirs" });
});
