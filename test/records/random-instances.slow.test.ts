import { expect, onTestFinished, test } from "vitest";
import type { FaultEffect, MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { EngineError } from "../../src/engine/progress.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { allOr } from "../support/whole.ts";
import { world } from "../support/world.ts";

/** Whatever may become of an answer to a write or a look-up, at random and again and again; the server's own books judge. */
const effects: readonly FaultEffect[] = [
  { type: "drop-before-commit" },
  { type: "drop-after-commit" },
  { type: "status", code: 500 },
  { type: "status", code: 503, commit: true },
  { type: "status", code: 429, retryAfter: 0 },
  { type: "truncate" },
  { type: "garbage" },
  { type: "late-commit", ms: 10 },
];

const seeds = allOr(
  Array.from({ length: 12 }, (_, index) => index + 1),
  (number) => number <= 2,
);

const [party, address] = ["crm#party#", "crm#address#"];
const origins = { [`${party}Dev`]: `${party}Prod`, [`${address}Dev`]: `${address}Prod` };
const plain = {
  layer: "instance" as const,
  origins,
  columns: ["src_*"],
  filter: {},
  relationships: [] as string[],
  overrides: false,
};

/** A small generator of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function put(
  data: MasterData,
  entity: "party" | "address",
  id: string,
  attributes: JsonObject,
  more: object = {},
) {
  const origin = `crm#${entity}#${data.name === "dev" ? "Dev" : "Prod"}`;
  return books.putInstance(data, { entity, origin, sourceId: id, attributes, ...more });
}

/** What each record says, whatever its id and times, in the words of the target; null and absent are one. */
function told(data: MasterData): ReadonlyMap<string, readonly string[]> {
  const all = (["party", "address"] as const).flatMap((entity) =>
    (data.instances(entity)?.rows ?? []).map((row): [string, string] => {
      const { activity: _way, source, ...book } = books.instanceBook(data, row);
      const values = Object.entries(source).filter(([, value]) => value !== null);
      const sorted = values.sort(([one], [other]) => one.localeCompare(other));
      const text = JSON.stringify({ ...book, source: Object.fromEntries(sorted) });
      return [
        `${entity} ${row.origin} ${row.sourceId}`.replace("#Dev", "#Prod"),
        text.replaceAll("#Dev", "#Prod"),
      ];
    }),
  );
  const groups = Map.groupBy(all, ([key]) => key);
  return new Map([...groups].map(([key, group]) => [key, group.map(([, text]) => text)]));
}

test.each(seeds)(
  "faults and a colleague at random, seed %d: each record once, nothing else touched",
  async (number) => {
    const random = randomFrom(number);
    const made = await world("empty", { kept: "memory", masterData: {}, seed: number });
    onTestFinished(() => made.close());
    const { emulator } = made;
    const [dev, prod] = [emulator.masterData("dev"), emulator.masterData("prod")];
    for (let index = 0; index < 60; index += 1) {
      const row = put(
        dev,
        "party",
        `P${index}`,
        { src_name: `Party ${index}`, src_credit_limit: index },
        {
          ...(index % 6 === 0 ? { overrides: { src_note: `a steward on ${index}` } } : {}),
          ...(index % 7 === 0 ? { active: false } : {}),
          ...(index % 5 === 0 ? {} : { sourceTime: Date.UTC(2026, 0, 5) + index * 1_001 }),
        },
      );
      if (index % 3 === 0)
        books.relate(dev, row, "addresses", put(dev, "address", `A${index}`, { src_city: `City ${index}` }));
    }
    put(prod, "party", "P4", { src_name: "as it was" });
    put(prod, "party", "own", { src_name: "of prod alone" });
    put(prod, "party", "P5", { src_name: "of another origin" }, { origin: "erp#party#Prod" });
    const plan = made.plan({
      select: { kinds: ["master-data"] },
      limits: { quietPeriodMs: 60, publishWaitMs: 1_500 },
      records: {
        referenceData: [],
        masterData: [
          { ...plain, entity: "party", relationships: ["addresses"], overrides: true, activity: true },
          { ...plain, entity: "address", activity: true },
        ],
        remove: false,
      },
    });
    const apply = async (): Promise<Result> =>
      applyPlan(made.migration({}, { plan }), { confirm: async () => true, verify: true });
    for (const effect of effects)
      emulator.faults.add({
        match: { tenant: "prod", path: "/api/rest/instance/" },
        when: { chance: 0.01 },
        effect,
      });
    let last = -1;
    let edits = 0;
    for (let round = 0; round < 14 && last !== exitCodes.done; round += 1) {
      if (round === 9) emulator.faults.clear();
      // A colleague makes and changes records of their own while it runs.
      const off = emulator.on(({ phase, entry }) => {
        if (phase !== "received" || entry.method !== "PUT" || random() > 0.05) return;
        put(prod, "party", "own", { src_name: `a colleague's word ${(edits += 1)}` });
        put(prod, "party", `theirs ${edits}`, { src_name: "new" }, { origin: "erp#party#Prod" });
      });
      last = await apply().then(
        ({ exitCode }) => exitCode,
        (error: unknown) => {
          if (error instanceof EngineError) return -1;
          throw error;
        },
      );
      off();
    }
    expect(last).toBe(exitCodes.done);
    await emulator.idle();
    emulator.faults.clear();
    const [wanted, there] = [told(dev), told(prod)];
    for (const [key, texts] of wanted) expect(there.get(key), key).toEqual(texts);
    const others = [...there.keys()].filter((key) => !wanted.has(key));
    expect(others).toHaveLength(2 + edits);
    emulator.log.clear();
    expect((await apply()).exitCode).toBe(exitCodes.done);
    expect(emulator.log.entries.filter(({ method }) => method === "PUT" || method === "DELETE")).toEqual([]);
    // What the faulty runs have written is known: a colleague's change of it is drift.
    put(prod, "party", "P8", { src_name: "a colleague's word" });
    expect((await diffPlan(made.migration({}, { plan }))).summary).toMatchObject({ drift: 1, update: 0 });
  },
);
