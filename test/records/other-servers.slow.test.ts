import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { masterDataBooks as books, startEmulator } from "../../src/emulator/index.ts";
import type { MasterData } from "../../src/emulator/index.ts";
import type { Stage } from "./masters-stage.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";

/** The address of a master-data server is a part of who an environment is, where the plan has records there. */

async function elsewhere(here: Stage, side: "source" | "target"): Promise<MasterData> {
  const emulator = await startEmulator({ masterData: {} });
  onTestFinished(async () => emulator.close());
  const tenant = side === "source" ? "dev" : "prod";
  const { masterData } = here.plan[side];
  if (masterData === undefined) throw new Error("the plan has no master-data server");
  const server = { ...masterData, baseUrl: emulator.masterDataUrl(tenant) };
  here.plan = { ...here.plan, [side]: { ...here.plan[side], masterData: server } };
  return emulator.masterData(tenant);
}

test.each(["source", "target"] as const)(
  "a diff that was approved is refused where the %s's server is another one by now",
  async (side) => {
    const here = await stage([party]);
    put(here.dev, "P1", { src_name: "A" });
    const diff = join(here.made.folder, "approved.json");
    await here.diff({ out: diff });
    const other = await elsewhere(here, side);
    await expect(here.apply({ diff })).rejects.toThrow("no longer fits");
    expect(other.instances("party")?.size).toBe(0);
    expect(here.prod.instances("party")?.size).toBe(0);
  },
);

test("nothing is taken back, compared or written at another server than the rows were moved to", async () => {
  const here = await stage([segment]);
  author(here.dev, { cmo_code: "X", cmo_name: "X" });
  await here.apply();
  const first = here.plan;
  const other = await elsewhere(here, "target");
  author(other, { cmo_code: "X", cmo_name: "theirs" });
  for (const run of [async () => here.back(), async () => here.diff(), async () => here.apply()])
    await expect(run()).rejects.toMatchObject({
      code: "wrong-target",
      message: expect.stringContaining("stands on another master-data server") as string,
    });
  expect(authored(other)).toEqual({ X: { cmo_code: "X", cmo_name: "theirs", active: true } });

  here.plan = first;
  expect((await here.apply()).summary).toMatchObject({ unchanged: 1 });
  await here.back();
  expect(authored(here.prod)).toEqual({});
});

test("rows that were as they should be, and of which nothing was written, are known of their server as well", async () => {
  const here = await stage([party]);
  for (const side of [here.dev, here.prod]) put(side, "P1", { src_name: "A" });
  await here.apply();
  await elsewhere(here, "source");
  await expect(here.apply()).rejects.toMatchObject({ code: "wrong-source" });
});

test("an address that is spelt otherwise is the same server, and whoever moves no records there may name any", async () => {
  const here = await stage([party]);
  put(here.dev, "P1", { src_name: "A" });
  await here.apply();
  const { target } = here.plan;
  const baseUrl = `${target.masterData?.baseUrl ?? ""}/`;
  here.plan = {
    ...here.plan,
    target: {
      ...target,
      ...(target.masterData === undefined ? {} : { masterData: { ...target.masterData, baseUrl } }),
    },
  };
  expect((await here.apply()).exitCode).toBe(0);
  await elsewhere(here, "target");
  here.plan = { ...here.plan, select: { ...here.plan.select, kinds: ["terms"] } };
  expect((await here.apply()).exitCode).toBe(0);
  expect(books.findInstance(here.prod, "party", crmProd, "P1")).toBeDefined();
});

test("what was kept before the server was written down is read on, and is that server's from then on", async () => {
  const here = await stage([party]);
  put(here.dev, "P1", { src_name: "A" });
  const { state } = here.made.migration({}, { plan: here.plan }).store;
  const save = state.saveKnownRows.bind(state);
  state.saveKnownRows = async (lease, table, ...more) =>
    table.endsWith("--servers") ? undefined : save(lease, table, ...more);
  await here.apply();
  state.saveKnownRows = save;
  put(here.prod, "P1", { src_name: "theirs" });
  expect((await here.diff()).summary).toMatchObject({ drift: 1 });
  await here.apply();
  await elsewhere(here, "target");
  await expect(here.diff()).rejects.toMatchObject({ code: "wrong-target" });
});
