import { expect, test } from "vitest";
import type { JsonObject } from "../../src/emulator/json.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { RowsStage } from "./support.ts";
import { countsOf, rowsStage } from "./support.ts";

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
