import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, diesAt, losses, recordOf, rowsStage } from "./support.ts";

/** A target that keeps what it is given to change in its own form. */
async function keeping(
  form: (values: JsonObject) => JsonObject,
  rows: Pick<NonNullable<Parameters<typeof rowsStage>[0]>, "source" | "target">,
  draftFilter: "absent" | "offered",
): Promise<RowsStage> {
  const stage = await rowsStage({ ...rows, plan: { limits: { publishWaitMs: 300 } } });
  stage.prod.quirks.draftFilter = draftFilter;
  const change = stage.target.change.bind(stage.target);
  stage.target.change = (record, values) => change(record, form(values));
  return stage;
}

const bare = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const text = typeof value === "string" ? value.trim() : value;
      return [name, text === "" ? null : text];
    }),
  );

const offers = ["absent", "offered"] as const;

test.for(offers)("a value that is changed to one which the target trims is published (%s)", async (offer) => {
  const source = [
    { code: "FR", name: "France ", area: 2 },
    { code: "DE", name: "", area: 1 },
  ];
  const target = [
    { code: "FR", name: "Frankreich", area: 2 },
    { code: "DE", name: "Old", area: 1 },
  ];
  const stage = await keeping(bare, { source, target }, offer);
  const result = await stage.apply();
  expect([result.exitCode, countsOf(result)?.done]).toEqual([exitCodes.done, 2]);
  const codes = result.changes[0]?.diagnostics.map(({ code }) => code);
  expect(codes?.filter((code) => code === "row-otherwise")).toHaveLength(2);
  expect(stage.published()).toEqual({
    FR: { code: "FR", name: "France", area: 2 },
    DE: { code: "DE", area: 1 },
  });
  stage.world.emulator.log.clear();
  expect([(await stage.apply()).exitCode, stage.writes()]).toEqual([exitCodes.done, 0]);
});

test.for(offers)("so is one that says to the target what it says already (%s)", async (offer) => {
  const source = [
    { code: "FR", name: "France ", area: 2 },
    { code: "DE", name: "", area: 1 },
  ];
  const target = [
    { code: "FR", name: "France", area: 2 },
    { code: "DE", area: 1 },
  ];
  const stage = await keeping(bare, { source, target }, offer);
  const result = await stage.apply();
  expect([result.exitCode, countsOf(result)?.done]).toEqual([exitCodes.done, 2]);
  expect(stage.target.open()).toEqual([]);
  stage.world.emulator.log.clear();
  expect([(await stage.apply()).exitCode, stage.writes()]).toEqual([exitCodes.done, 0]);
});

test.for(offers)(
  "an attribute that the target leaves as it is, whatever is sent, is named (%s)",
  async (offer) => {
    const source = [{ code: "FR", name: "France" }];
    const target = [{ code: "FR", name: "Frankreich" }];
    const stage = await keeping(({ name: _name, ...rest }) => rest, { source, target }, offer);
    const result = await stage.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(/^the row FR: the target keeps its name as it was, whatever is sent/),
    );
  },
);

test.for(offers)("a value that is no form of what was sent may be somebody else's (%s)", async (offer) => {
  const source = [{ code: "FR", name: "France" }];
  const target = [{ code: "FR", name: "Frankreich" }];
  const stage = await keeping((values) => ({ ...values, name: "Gallia" }), { source, target }, offer);
  const result = await stage.apply();
  expect([result.exitCode, stage.published()]).toEqual([exitCodes.partial, { FR: target[0] }]);
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toContainEqual(
    expect.stringMatching(/somebody (is changing|has changed) it/),
  );
});

test.for(offers)("one that is shortened is published (%s)", async (offer) => {
  const source = [{ code: "FR", name: "France métropolitaine" }];
  const target = [{ code: "FR", name: "Frankreich" }];
  const short = ({ name, ...values }: JsonObject): JsonObject =>
    typeof name === "string" ? { ...values, name: name.slice(0, 7) } : values;
  const stage = await keeping(short, { source, target }, offer);
  expect((await stage.apply()).exitCode).toBe(exitCodes.done);
  stage.world.emulator.log.clear();
  expect([(await stage.apply()).exitCode, stage.writes()]).toEqual([exitCodes.done, 0]);
});

/** A target that keeps what it is given in capitals. */
async function inCapitals(
  options: Omit<NonNullable<Parameters<typeof rowsStage>[0]>, "plan">,
  draftFilter: "absent" | "offered",
): Promise<RowsStage> {
  const stage = await rowsStage({ ...options, plan: { limits: { publishWaitMs: 300, quietPeriodMs: 20 } } });
  stage.prod.quirks.draftFilter = draftFilter;
  const form = ({ name, ...values }: JsonObject): JsonObject =>
    typeof name === "string"
      ? { ...values, name: name.toUpperCase() }
      : { ...values, ...(name === undefined ? {} : { name }) };
  const [create, change] = [stage.target.create.bind(stage.target), stage.target.change.bind(stage.target)];
  stage.target.create = (urn, sequence, values) => create(urn, sequence, form(values));
  stage.target.change = (record, values) => change(record, form(values));
  return stage;
}

function approveAll({ prod }: RowsStage): void {
  for (const { urn, records } of prod.referenceData.reviews.values())
    if (records.size > 0) seed.decideReview(prod, urn, "approve");
}

/** Until a run has nothing to do; the exit code of each. */
async function untilRest(stage: RowsStage): Promise<readonly number[]> {
  const codes: number[] = [];
  for (let run = 1; run <= 4; run += 1) {
    const before = stage.writes();
    codes.push((await stage.apply()).exitCode);
    if (stage.writes() === before && codes.at(-1) === exitCodes.done) break;
    approveAll(stage);
  }
  return codes;
}

const words = [
  { code: "DE", name: "new", area: 1 },
  { code: "FR", name: "Old", area: 2 },
  { code: "CH", name: "made", area: 3 },
];
const theirs = [
  { code: "DE", name: "OLD", area: 1 },
  { code: "FR", name: "OLD", area: 2 },
];

describe("a target that keeps rows in a form of its own", () => {
  test.for(offers)("publishes them out of a review, and rests then (%s)", async (offer) => {
    const stage = await inCapitals({ source: words, target: theirs, publish: "review" }, offer);
    expect(await untilRest(stage)).toEqual([exitCodes.partial, exitCodes.done, exitCodes.done]);
    expect(stage.published()).toMatchObject({
      DE: { name: "NEW" },
      FR: { name: "OLD" },
      CH: { name: "MADE" },
    });
    seed.editRecord(stage.source, recordOf(stage.source, "DE") ?? neverThere(), { name: "newer" });
    expect(await untilRest(stage)).toEqual([exitCodes.partial, exitCodes.done, exitCodes.done]);
    expect(stage.published()).toMatchObject({ DE: { name: "NEWER" } });
  });

  test.for(offers)("rests where a review is gone that nothing would have come of (%s)", async (offer) => {
    const source = [{ code: "FR", name: "Old", area: 2 }];
    const stage = await inCapitals({ source, target: theirs, publish: "review" }, offer);
    stage.prod.quirks.decidedReview = "404";
    expect(await untilRest(stage)).toEqual([exitCodes.partial, exitCodes.done]);
  });

  test.for(offers)("a colleague who writes into a draft of ours is told from it (%s)", async (offer) => {
    const stage = await inCapitals({ source: words, target: theirs, publish: "review" }, offer);
    await stage.apply();
    approveAll(stage);
    stage.target.change(recordOf(stage.target, "DE") ?? neverThere(), { name: "other" });
    expect((await stage.apply()).exitCode).toBe(exitCodes.inDoubt);
    expect(stage.published()["DE"]).toEqual(theirs[0]);
  });

  test.for(
    offers.flatMap((offer) =>
      (["direct", "approve"] as const).flatMap((publish) =>
        (["intent:after", "send:after", "outcome:after"] as const).map(
          (point) => [offer, publish, point] as const,
        ),
      ),
    ),
  )("a killed run's come to their end, and rest (%s, %s, %s)", async ([offer, publish, point]) => {
    const stage = await inCapitals({ source: words, target: theirs, publish }, offer);
    expect(await diesAt(point, 1, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(true);
    expect(await untilRest(stage)).toEqual([exitCodes.done, exitCodes.done]);
    seed.editRecord(stage.source, recordOf(stage.source, "DE") ?? neverThere(), { name: "newer" });
    expect(await untilRest(stage)).toEqual([exitCodes.done, exitCodes.done]);
    expect(stage.published()).toMatchObject({ DE: { name: "NEWER" }, CH: { name: "MADE" } });
  });

  test.for(offers.flatMap((offer) => losses.map(([what, loss]) => [offer, what, loss] as const)))(
    "what had no answer comes to its end, and rests (%s, %s)",
    async ([offer, , loss]) => {
      const stage = await inCapitals({ source: words, target: theirs }, offer);
      stage.world.emulator.faults.add({
        match: { path: "/draft/batch$/" },
        effect: loss,
        when: { times: 1 },
      });
      const codes = await untilRest(stage);
      expect(codes.slice(-1)).toEqual([exitCodes.done]);
      expect(stage.published()).toMatchObject({
        DE: { name: "NEW" },
        FR: { name: "OLD" },
        CH: { name: "MADE" },
      });
    },
  );

  test.for(offers)("what the source says since two runs were interrupted is brought (%s)", async (offer) => {
    const stage = await inCapitals({ source: words }, offer);
    const { quirks, referenceData } = stage.prod;
    const says = (code: string, name: string): void =>
      seed.editRecord(stage.source, recordOf(stage.source, code) ?? neverThere(), { name });
    // Nothing shows before the run has given up waiting for it.
    quirks.publishing = { afterMilliseconds: 3_600_000 };
    expect((await stage.apply()).exitCode).toBe(exitCodes.interrupted);
    referenceData.settle();
    says("FR", "newer");
    expect(await diesAt("intent:after", 1, async (hooks) => stage.apply({ verify: false }, { hooks }))).toBe(
      true,
    );
    says("DE", "newest");
    expect((await stage.apply()).exitCode).toBe(exitCodes.interrupted);
    referenceData.settle();
    quirks.publishing = "at-once";
    expect((await untilRest(stage)).at(-1)).toBe(exitCodes.done);
    expect(stage.published()).toMatchObject({ DE: { name: "NEWEST" }, FR: { name: "NEWER" } });
  });
});

function neverThere(): never {
  throw new Error("there is no such row");
}
