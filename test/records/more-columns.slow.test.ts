import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import type { MasterRow } from "../../src/emulator/master-data/rows.ts";
import { author, authored, party, put, segment, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { countsOf, diesAt } from "./support.ts";

/** A plan that moves more of its records than before: what was known of them is known still. */

const narrow = { ...party, columns: ["src_name"] };
const wide = { ...party, columns: ["src_name", "src_phone"] };

function bookOf(here: Stage, id: string): ReturnType<typeof books.instanceBook> | undefined {
  const row = here.prod.byKey("party", "crm#party#Prod", id);
  return row === undefined ? undefined : books.instanceBook(here.prod, row);
}

/** Moved once by the narrow plan; then each is changed by whom its id says. */
async function moved(): Promise<Stage> {
  const here = await stage([narrow]);
  for (const id of ["nobody", "target", "source", "both", "off"])
    put(here.dev, id, { src_name: "a", src_phone: "1" });
  expect((await here.apply()).exitCode).toBe(exitCodes.done);
  for (const id of ["target", "both"]) put(here.prod, id, { src_name: "theirs" });
  for (const id of ["source", "both"]) put(here.dev, id, { src_name: "b" });
  put(here.prod, "off", {}, { activity: false });
  return here;
}

test("a colleague's word on an instance stays, and is told by each run; what nobody has changed gets the rest", async () => {
  const here = await moved();
  here.name(wide);
  expect(countsOf(await here.diff())).toMatchObject({ update: 3, drift: 1, conflict: 1, create: 0 });
  for (const update of [3, 0]) {
    const result = await here.apply();
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(countsOf(result)).toMatchObject({ update, drift: 1, conflict: 1, create: 0 });
    expect(bookOf(here, "nobody")?.source).toMatchObject({ src_name: "a", src_phone: "1" });
    expect(bookOf(here, "source")?.source).toMatchObject({ src_name: "b", src_phone: "1" });
    for (const id of ["target", "both"]) expect(bookOf(here, id)?.source["src_name"]).toBe("theirs");
    // Switched off by a person after it was moved.
    expect(bookOf(here, "off")?.active).toBe(false);
  }
  await here.back();
  expect(bookOf(here, "source")?.source["src_name"]).toBe("a");
  expect(countsOf(await here.diff())).toMatchObject({ update: 3, drift: 1, conflict: 1 });
});

test("so it is where activity is moved as well, and where the columns are named otherwise by pattern", async () => {
  const here = await moved();
  here.name({ ...wide, columns: [...wide.columns, "src_*"], activity: true });
  expect(countsOf(await here.apply())).toMatchObject({ update: 3, drift: 1, conflict: 1 });
  expect(bookOf(here, "off")?.active).toBe(true);
});

test("where it moves less nobody can tell, and the records meet for the first time", async () => {
  const here = await moved();
  here.name({ ...party, columns: ["src_phone"] });
  expect(countsOf(await here.diff())).toMatchObject({ drift: 0, conflict: 0 });
});

test("a master that somebody has removed is not made again, and one that somebody has changed is left", async () => {
  const here = await stage([{ ...segment, columns: ["cmo_name"] }]);
  for (const code of ["A", "B", "C"]) author(here.dev, { cmo_code: code, cmo_name: "a" });
  await here.apply();
  const of = (code: string): MasterRow => {
    const row = here.prod
      .masters("segment")
      ?.rows.find(({ authored: is }) => is?.values["cmo_code"] === code);
    if (row === undefined) throw new Error(`no ${code}`);
    return row;
  };
  here.prod.masters("segment")?.delete(of("A"));
  books.writeMaster(here.prod, of("B"), { cmo_name: "theirs" });
  here.name({ ...segment, columns: ["cmo_name", "cmo_*"] });
  for (let run = 0; run < 2; run += 1)
    expect(countsOf(await here.apply())).toMatchObject({ create: 0, update: 0, drift: 2 });
  expect(Object.keys(authored(here.prod))).toEqual(["B", "C"]);
});

/** The narrow plan is killed while it brings "source"; then the plan moves more. */
async function killed(point: Parameters<typeof diesAt>[0], nth = 1): Promise<Stage> {
  const here = await moved();
  expect(await diesAt(point, nth, async (hooks) => here.apply({ verify: false }, { hooks }))).toBe(true);
  here.name(wide);
  return here;
}

test.each(["intent:after", "send:after", "outcome:after"] as const)(
  "also where a run was killed before the plan moved more (%s)",
  async (point) => {
    const here = await killed(point);
    for (const update of [3, 0])
      expect(countsOf(await here.apply())).toMatchObject({ update, drift: 1, conflict: 1, create: 0 });
    expect(bookOf(here, "source")?.source).toMatchObject({ src_name: "b", src_phone: "1" });
    for (const id of ["target", "both"]) expect(bookOf(here, id)?.source["src_name"]).toBe("theirs");
  },
);

test("and where a person has forgotten what that run has left open", async () => {
  const here = await killed("outcome:after", 2);
  const decisions = [{ decision: "abandon", source: "master-data:party" }] as const;
  await resolveDoubts(here.made.migration({}, { plan: here.plan }), { decisions });
  expect(countsOf(await here.diff())).toMatchObject({ update: 3, drift: 1, conflict: 1 });
});
