import { expect, test } from "vitest";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { renderText } from "../../src/report/index.ts";
import type { World } from "../support/world.ts";
import { address, adr, party, put, stage as mastersStage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { countries, rowsStage } from "./support.ts";

/** Stops with the n-th request to such an address. */
async function stopped(
  { emulator }: World,
  path: RegExp,
  nth: number,
  run: (stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  let seen = 0;
  const off = emulator.on(({ phase, entry }) => {
    if (phase === "received" && path.test(`${entry.method} ${entry.path}`) && (seen += 1) === nth)
      stop.abort();
  });
  const result = await run(stop.signal);
  off();
  expect(result.exitCode).toBe(exitCodes.interrupted);
  return result;
}

const outcomes = ({ changes }: Result): readonly unknown[] => changes.map(({ outcome }) => outcome);
const text = (result: Result): string => renderText(result).replaceAll(/\s+/g, " ");

test("a table whose rows a stopped run has sent is begun, and the next one is not started", async () => {
  const stage = await rowsStage({ source: countries(350), plan: { limits: { concurrency: 1 } } });
  const columns = { code: "STRING", name: "STRING" } as const;
  seed.seedReferenceTable(stage.dev, { name: "Other", columns, rows: [{ code: "Q", name: "q" }] });
  seed.seedReferenceTable(stage.prod, { name: "Other", columns, rows: [] });
  const tables = ["Countries", "Other"].map((table) => ({
    table,
    key: ["code"],
    publish: "direct" as const,
  }));
  stage.changes = { ...stage.changes, records: { referenceData: tables, remove: false } };
  const result = await stopped(stage.world, /draft\/batch$/, 2, async (stop) =>
    stage.apply({ verify: false }, { stop }),
  );
  expect(outcomes(result)).toEqual(["begun", "not-started"]);
  const open = stage.target.open().length;
  expect(open).toBeGreaterThan(0);
  expect(text(result)).toContain(`rows: 350 to create, ${open} sent and not seen yet`);
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
});

/** Many instances of two entities. */
async function many(): Promise<Stage> {
  const here = await mastersStage([party, address]);
  for (let number = 0; number < 400; number += 1) put(here.dev, `P${number}`, { src_name: `N${number}` });
  put(here.dev, "A1", { src_city: "Bern" }, { entity: "address", origin: adr });
  return here;
}

test("one of which a part is written is begun, with its counts", async () => {
  const here = await many();
  const result = await stopped(here.made, /^PUT .*instance\/party/, 380, async (stop) =>
    here.apply({ verify: false }, { stop }),
  );
  const done = result.changes[0]?.records?.done ?? 0;
  expect(done).toBeGreaterThan(0);
  expect(outcomes(result)).toEqual(["begun", "not-started"]);
  expect(result.headline).toContain(`Interrupted after ${done} changes; nothing is lost`);
  expect(text(result)).toContain(`rows: 400 to create, ${done} done`);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
});

test("so it is with a rollback that was stopped", async () => {
  const here = await many();
  await here.apply();
  const result = await stopped(here.made, /^PUT .*deactivate$/, 380, async (stop) =>
    rollbackRun(here.made.migration({}, { plan: here.plan, stop }), {
      allowDelete: true,
      confirm: async () => true,
    }),
  );
  expect(outcomes(result)).toEqual(["begun", "not-started"]);
});
