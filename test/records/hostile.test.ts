import { expect, onTestFinished, test, vi } from "vitest";
import type { MasterData } from "../../src/emulator/index.ts";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";
import { asText } from "../../src/emulator/json.ts";
import * as seed from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { rollbackRun } from "../../src/operations/rollback.ts";
import { author, party, put, segment, stage as recordsStage } from "./masters-stage.ts";
import { countries, countsOf, recordOf, rowsStage, untilDone } from "./support.ts";
import type { RowsStage } from "./support.ts";

interface Body {
  data: { urn: string; values: unknown[] }[];
  meta: { total?: number; next?: string | null };
}

/** From now on these answers say something else: `nth` of them, `asked` is the body of the request. */
function answers(path: string, change: (body: Body, nth: number, asked: string) => unknown): void {
  const real = globalThis.fetch;
  let nth = 0;
  const stub: typeof fetch = async (input, init) => {
    const answer = await real(input, init);
    const [url, asked] = [input instanceof Request ? input.url : String(input), init?.body];
    if (!url.includes(path) || !answer.ok) return answer;
    const text = await answer.text();
    const body = JSON.parse(text) as Body;
    nth += 1;
    change(body, nth, typeof asked === "string" ? asked : "");
    return new Response(JSON.stringify(body), { status: answer.status, headers: answer.headers });
  };
  vi.stubGlobal("fetch", stub);
  onTestFinished(() => void vi.unstubAllGlobals());
}

const list = "/dev/api/reference-data/v1/tables/";
const isList = (asked: string): boolean => asked === "{}";
const all = countries(250);

function codesOf({ target }: RowsStage): readonly string[] {
  return target
    .records()
    .map(({ published }) => asText(published?.["code"]))
    .sort();
}

/** By the books: each of these is there once, and nothing else. */
function expectOnce(stage: RowsStage, codes: readonly string[]): void {
  stage.prod.referenceData.settle();
  expect(codesOf(stage)).toEqual([...codes].sort());
  expect(stage.target.open()).toEqual([]);
}

test("rows, columns and values that are called like parts of every object move like any other", async () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "prototype"];
  const columns = Object.fromEntries([
    ["code", "STRING"],
    ...names.map((name) => [name, "STRING"]),
  ]) as Record<string, "STRING">;
  const rows = names.map((code) =>
    Object.fromEntries([["code", code], ...names.map((name): [string, string] => [name, `${code} ${name}`])]),
  );
  const stage = await rowsStage({ source: rows, columns });
  const { run, exitCode } = await stage.apply();
  expect(exitCode).toBe(exitCodes.done);
  const said = (row: JsonObject = {}): string[] =>
    Object.entries(row)
      .map(([name, value]) => `${name}: ${asText(value)}`)
      .sort();
  expect(stage.target.records().map(({ published }) => said(published))).toEqual(rows.map(said));
  stage.world.emulator.log.clear();
  expect((await stage.apply()).summary).toMatchObject({ unchanged: 5 });
  expect(stage.writes()).toBe(0);
  for (const name of ["__proto__", "constructor"]) {
    const record = recordOf(stage.source, name);
    const change = Object.fromEntries([[name, "new"]]) as JsonObject;
    if (record !== undefined) seed.editRecord(stage.source, record, change);
  }
  expect((await stage.apply()).summary).toMatchObject({ update: 2, unchanged: 3 });
  const changed = recordOf(stage.target, "__proto__")?.published ?? {};
  expect(Object.getOwnPropertyDescriptor(changed, "__proto__")?.value).toBe("new");
  expect((await stage.diff()).summary).toMatchObject({ drift: 0, unchanged: 5 });
  await rollbackRun(stage.world.migration(stage.changes), {
    run,
    allowDelete: true,
    confirm: async () => true,
  });
  expect(codesOf(stage)).toEqual(["__proto__", "constructor"]);
});

test("a page that repeats the one before ends the run before anything is written", async () => {
  const stage = await rowsStage({ source: all });
  let first: Body["data"] = [];
  answers(list, (body, nth, asked) => {
    if (!isList(asked)) return;
    if (nth === 1) first = body.data;
    else if (body.data.length === 100) body.data = first;
  });
  await expect(stage.apply()).rejects.toThrow(/published\/filter at "dev": the listing does not advance/);
  expect(stage.target.records()).toEqual([]);
});

test("rows that come on two pages are one each", async () => {
  const stage = await rowsStage({ source: all });
  let last: Body["data"] = [];
  answers(list, (body, _, asked) => {
    if (!isList(asked)) return;
    // What stood at the end of a page has moved behind it.
    body.data.unshift(...last);
    last = body.data.slice(-2);
  });
  const result = await stage.apply({ verify: false });
  expect(result.exitCode).toBe(exitCodes.done);
  expect(countsOf(result)).toMatchObject({ create: 250, done: 250, blocked: 0 });
  expectOnce(
    stage,
    all.map(({ code }) => code),
  );
});

test.for([
  ["too large", 7, /the listing ended after 250 of 257\. It is not complete/],
  ["far too small", -249, /200 objects came, it has 1 by its own account/],
] as const)("a total that is %s loses nothing", async ([, by, said]) => {
  const stage = await rowsStage({ source: all, target: [{ code: "OLD" }], remove: true });
  answers(list, ({ meta }, _, asked) => {
    if (isList(asked) && meta.total !== undefined) meta.total += by;
  });
  const why = await stage.apply({ allowDelete: true }).then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
  expect(why).toMatch(said);
  expectOnce(stage, ["OLD"]);
});

test("a row that the source's list does not show is asked for by itself before it is removed", async () => {
  const stage = await rowsStage({ source: all, remove: true });
  await stage.apply({ allowDelete: true });
  const record = recordOf(stage.source, "C3");
  if (record !== undefined) {
    seed.removeRecord(stage.source, record);
  }
  answers(list, (body, nth, asked) => {
    if (!isList(asked)) return;
    // One was taken away before it, and the page behind began one further on.
    if (nth === 1) body.data.pop();
    if (body.meta.total !== undefined) body.meta.total -= 1;
  });
  const result = await stage.apply({ allowDelete: true, verify: false });
  expect(result.exitCode).toBe(exitCodes.partial);
  expect(countsOf(result)).toMatchObject({ delete: 1, blocked: 1, done: 1 });
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toContain(
    "the row C100: the source has it, and its list did not show it: rows came or went while it was read",
  );
  expectOnce(
    stage,
    all.map(({ code }) => code).filter((code) => code !== "C3"),
  );
});

/** Offsets move when a record in front of them goes: one is on no page. */
test.for([
  [
    "an instance",
    { ...party, filter: { src_name: "A*" } },
    (data: MasterData, id: string, name: string): void => void put(data, id, { src_name: name }),
  ],
  [
    "a master",
    { ...segment, filter: { cmo_name: "A*" } },
    (data: MasterData, id: string, name: string): void => {
      const known = books.findMasters(data, "segment", "cmo_code", id)[0];
      if (known === undefined) author(data, { cmo_code: id, cmo_name: name });
      else books.writeMaster(data, known, { cmo_name: name });
    },
  ],
] as const)("so is %s, which a list has left out", async ([, entity, write]) => {
  const here = await recordsStage([entity], true);
  for (const id of ["r1", "r2", "r3", "r4"]) write(here.dev, id, "A");
  expect((await here.apply({ allowDelete: true, verify: false })).exitCode).toBe(exitCodes.done);
  here.dev.quirks.mostRecords = 2;
  let shifts = 0;
  here.made.emulator.on(({ phase, entry: { tenant, path, query } }) => {
    if (phase !== "received" || tenant !== "dev" || !path.endsWith(entity.entity)) return;
    // It is away while its page is read, and there again when it is asked for by itself.
    const isAskedFor = query["source_id"] !== undefined || query["cmo_code"] !== undefined;
    if (isAskedFor) write(here.dev, "r3", "A");
    if (isAskedFor || query["offset"] !== "1") return;
    shifts += 1;
    write(here.dev, "r3", "Z");
  });
  const result = await here.apply({ allowDelete: true, verify: false });
  expect(shifts).toBe(1);
  expect(countsOf(result)).toMatchObject({ delete: 0, blocked: 1, unchanged: 3, done: 0 });
  expect(result.changes[0]?.diagnostics.map(({ summary }) => summary)).toContainEqual(
    expect.stringMatching(/^the row .*r3: the source has it, and its list did not show it/),
  );
});

const untrue: readonly (readonly [string, (body: Body) => unknown])[] = [
  ["lacks rows", (body) => body.data.splice(1, 2)],
  ["has none", (body) => body.data.splice(0)],
  ["has a row twice", (body) => body.data.push(...body.data.slice(0, 1))],
  ["has them in another order", (body) => body.data.reverse()],
  [
    "has a row of somebody else",
    ({ data }) => data.push({ urn: `${data[0]?.urn ?? ""}0`, values: [{ name: "code", value: "ZZ" }] }),
  ],
];

test.for(untrue)("where the answer to a batch %s, each row is there once in the end", async ([, change]) => {
  const stage = await rowsStage({ source: all.slice(0, 30), plan: { limits: { quietPeriodMs: 10 } } });
  answers("/draft/batch", change);
  const codes = await untilDone(async () => stage.apply());
  expect(codes.at(-1)).toBe(exitCodes.done);
  expectOnce(
    stage,
    all.slice(0, 30).map(({ code }) => code),
  );
});
