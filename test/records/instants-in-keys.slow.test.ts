import { expect, onTestFinished, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { world } from "../support/world.ts";
import { segment } from "./masters-stage.ts";
import { rowsStage } from "./support.ts";

/** A key that is an instant is one however each side writes it, also where the service compares what is written: no row is made beside it. */

const forms: readonly (readonly [string, string])[] = [
  ["1958-01-01T00:00:00Z", "1958-01-01T00:00:00.000Z"],
  ["1958-01-01T00:00:00.000Z", "1958-01-01T00:00:00Z"],
  ["1958-01-01T01:00:00+01:00", "1958-01-01T00:00:00Z"],
  ["1958-01-01T00:00:00.12Z", "1958-01-01T00:00:00.120Z"],
  ["1957-12-31T22:30:00.5-01:30", "1958-01-01T00:00:00.500Z"],
];

test.each(
  forms.flatMap((pair) => ([["since"], ["code", "since"]] as const).map((key) => [...pair, key] as const)),
)("a row of %s is the one of %s (%j)", async (here, there, key) => {
  const stage = await rowsStage({
    source: [{ code: "DE", since: here, name: "Germany" }],
    target: [
      { code: "DE", since: there, name: "Deutschland" },
      { code: "FR", since: "1961-01-01T00:00:00Z", name: "of the target alone" },
    ],
    key,
    remove: true,
  });
  expect((await stage.apply({ allowDelete: true })).exitCode).toBe(exitCodes.done);
  expect(stage.target.records().map(({ published }) => published)).toEqual([
    { code: "DE", since: there, name: "Germany" },
  ]);
  stage.world.emulator.log.clear();
  expect([(await stage.apply({ allowDelete: true })).exitCode, stage.writes()]).toEqual([exitCodes.done, 0]);
});

test.each(forms)("a master of %s is the one of %s", async (here, there) => {
  const columns = [
    { name: "cmo_since", type: "DATETIME" as const },
    { name: "cmo_name", type: "STRING" as const },
  ];
  const model = {
    entities: [],
    relationships: [],
    views: [{ name: "codes", entities: [{ name: "segment", columns }] }],
  };
  const made = await world("empty", { kept: "memory", masterData: { model } });
  onTestFinished(() => made.close());
  const plan = made.plan({
    select: { kinds: ["master-data"] },
    records: { referenceData: [], masterData: [{ ...segment, key: ["cmo_since"] }], remove: true },
  });
  for (const [side, since, name] of [
    ["dev", here, "new"],
    ["prod", there, "old"],
  ] as const)
    books.authorMaster(made.emulator.masterData(side), {
      entity: "segment",
      attributes: { cmo_since: since, cmo_name: name },
    });
  const result = await applyPlan(made.migration({}, { plan }), {
    confirm: async () => true,
    allowDelete: true,
  });
  const rows = made.emulator.masterData("prod").masters("segment")?.rows ?? [];
  expect([result.exitCode, rows.map(({ authored }) => authored?.values)]).toEqual([
    exitCodes.done,
    [{ cmo_since: there, cmo_name: "new" }],
  ]);
});

test("what is text is asked for as it is", async () => {
  const columns = { since: "STRING", name: "STRING" } as const;
  const [here, there] = ["1958-01-01T00:00:00Z", "1958-01-01T00:00:00.000Z"];
  const stage = await rowsStage({
    source: [{ since: here, name: "one" }],
    target: [{ since: there, name: "other" }],
    key: ["since"],
    columns,
  });
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.target.records()).toHaveLength(2);
});

test("a service that takes instants in one form alone is asked in that of the source", async () => {
  const since = "1958-01-01T00:00:00Z";
  const stage = await rowsStage({
    source: [{ since, name: "new" }],
    target: [{ since, name: "old" }],
    key: ["since"],
  });
  stage.world.emulator.faults.add({
    match: { tenant: "prod", path: "/published\\/filter$/" },
    when: { times: 1 },
    effect: { type: "status", code: 400 },
  });
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.target.records().map(({ published }) => published)).toEqual([{ since, name: "new" }]);
});

test("one answer of a gateway that does not find it does not change how keys are asked for", async () => {
  const [here, there] = ["1958-01-01T01:00:00+01:00", "1958-01-01T00:00:00Z"];
  const stage = await rowsStage({
    source: [{ since: here, name: "new" }],
    target: [{ since: there, name: "old" }],
    key: ["since"],
  });
  stage.world.emulator.faults.add({
    match: { tenant: "prod", path: "/published\\/filter$/" },
    when: { times: 1 },
    effect: { type: "status", code: 404, page: true },
  });
  await stage.apply().catch(() => undefined);
  expect(stage.target.records()).toHaveLength(1);
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  expect(stage.target.records().map(({ published }) => published)).toEqual([{ since: there, name: "new" }]);
});
