import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { Stage } from "./masters-stage.ts";
import { author, authored, crmProd, party, put, segment, stage } from "./masters-stage.ts";
import { countsOf, diesAt } from "./support.ts";
import { allOr } from "../support/whole.ts";

/**
 * A run is killed while it writes a row, somebody says something else in a column of it, and the plan moves that column no more: nobody can
 * see whose word is there, so nothing is sent over it.
 */

const points = ["send:after", "outcome:before"] as const;

async function killed(here: Stage, point: EnginePoint): Promise<void> {
  expect(await diesAt(point, 1, async (hooks) => here.apply({ verify: false }, { hooks }))).toBe(true);
}

function said({ prod }: Stage): JsonObject | undefined {
  return prod.byKey("party", crmProd, "1")?.source;
}

const both = { ...party, columns: ["src_name", "src_phone"] };

test.each(points)("of an instance that it has made (%s)", async (point) => {
  const here = await stage([both]);
  put(here.dev, "1", { src_name: "a", src_phone: "1" });
  await killed(here, point);
  put(here.prod, "1", { src_phone: "theirs" });
  here.name({ ...both, columns: ["src_name"] });
  for (let run = 1; run <= 2; run += 1) {
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(said(here)).toEqual({ src_name: "a", src_phone: "theirs" });
  }
});

test.each(allOr(["intent:after", ...points] as const, (_point, index) => index % 2 === 0))(
  "of one that it changes, where nothing stood there before (%s)",
  async (point) => {
    const here = await stage([both]);
    put(here.dev, "1", { src_name: "a" });
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    put(here.dev, "1", { src_phone: "1" });
    await killed(here, point);
    put(here.prod, "1", { src_phone: "theirs" });
    here.name({ ...both, columns: ["src_name"] });
    const result = await here.apply();
    expect(result.exitCode).toBe(exitCodes.done);
    expect(said(here)).toEqual({ src_name: "a", src_phone: "theirs" });
    expect(result.diagnostics.map(({ summary }) => summary)).toContainEqual(
      expect.stringContaining("what became of that cannot be seen by this one, and nothing more was sent"),
    );
  },
);

test("of a master that it changes, where nothing stood there before", async () => {
  const here = await stage([segment]);
  const [row] = [author(here.dev, { cmo_code: "1" })];
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  books.writeMaster(here.dev, row, { cmo_name: "ours" });
  await killed(here, "intent:after");
  for (const one of here.prod.masters("segment")?.rows ?? [])
    books.writeMaster(here.prod, one, { cmo_name: "theirs" });
  here.name({ ...segment, columns: ["cmo_code"] });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(authored(here.prod)["1"]).toMatchObject({ cmo_name: "theirs" });
});

test("what is there in part is brought to its end, as far as the plan reads it", async () => {
  const here = await stage([{ ...both, activity: true }]);
  put(here.dev, "1", { src_name: "a", src_phone: "1" }, { active: false });
  await killed(here, "intent:after");
  put(here.prod, "1", { src_name: "a", src_phone: "theirs" });
  here.name({ ...both, columns: ["src_name"], activity: true });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(said(here)).toEqual({ src_name: "a", src_phone: "theirs" });
  expect(here.prod.byKey("party", crmProd, "1")?.activity).toBe(false);
});

const narrow = { ...both, columns: ["src_name"] };

test.each(allOr(["intent:after", ...points, "outcome:after"] as const, (_point, index) => index % 3 === 0))(
  "what somebody says in such a column of what was made is drift when the plan moves it again (%s)",
  async (point) => {
    const here = await stage([both]);
    put(here.dev, "1", { src_name: "a", src_phone: "1" });
    await killed(here, point);
    here.name(narrow);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(said(here)).toEqual({ src_name: "a", src_phone: "1" });
    put(here.prod, "1", { src_phone: "theirs" });
    here.name(both);
    for (let run = 1; run <= 2; run += 1) {
      const result = await here.apply();
      expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { drift: 1 }]);
      expect(said(here)).toEqual({ src_name: "a", src_phone: "theirs" });
    }
  },
);

test.each(allOr(["intent:after", ...points, "outcome:after"] as const, (_point, index) => index % 3 === 0))(
  "where nobody says anything, nothing is to be done, and what the source says next is brought (%s)",
  async (point) => {
    const here = await stage([both]);
    put(here.dev, "1", { src_name: "a", src_phone: "1" });
    await killed(here, point);
    here.name(narrow);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    here.name(both);
    put(here.dev, "1", { src_phone: "2" });
    expect(countsOf(await here.apply())).toMatchObject({ update: 1, drift: 0, conflict: 0 });
    expect(said(here)).toEqual({ src_name: "a", src_phone: "2" });
  },
);

test("what the plan that moves less has written since is known in no wider sense", async () => {
  const here = await stage([both]);
  put(here.dev, "1", { src_name: "a", src_phone: "1" });
  await killed(here, "send:after");
  here.name(narrow);
  put(here.dev, "1", { src_name: "b" });
  for (let run = 1; run <= 2; run += 1) expect((await here.apply()).exitCode).toBe(exitCodes.done);
  here.name(both);
  put(here.dev, "1", { src_phone: "2" });
  expect(countsOf(await here.apply())).toMatchObject({ update: 1, drift: 0, conflict: 0 });
  expect(said(here)).toEqual({ src_name: "b", src_phone: "2" });
});

test("what takes a request of its own, and the plan does not read any more, may not be there: it is no drift", async () => {
  const here = await stage([{ ...both, activity: true }]);
  put(here.dev, "1", { src_name: "a", src_phone: "1" }, { active: false });
  await killed(here, "intent:after");
  put(here.prod, "1", { src_name: "a", src_phone: "1" });
  here.name(both);
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  here.name({ ...both, activity: true });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  expect(here.prod.byKey("party", crmProd, "1")?.activity).toBe(false);
});

test("so it is with a master", async () => {
  const here = await stage([segment]);
  author(here.dev, { cmo_code: "1", cmo_name: "a" });
  await killed(here, "send:after");
  here.name({ ...segment, columns: ["cmo_code"] });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  for (const one of here.prod.masters("segment")?.rows ?? [])
    books.writeMaster(here.prod, one, { cmo_name: "theirs" });
  here.name(segment);
  const result = await here.apply();
  expect([result.exitCode, countsOf(result)]).toMatchObject([exitCodes.partial, { drift: 1 }]);
  expect(authored(here.prod)["1"]).toMatchObject({ cmo_name: "theirs" });
});
