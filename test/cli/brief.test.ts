import { expect, test } from "vitest";
import { briefDoubts, briefMappings, briefStatus } from "../../src/cli/brief.ts";
import type { DoubtDetails } from "../../src/operations/resolve.ts";

const pairs = (kind: string, count: number, origin: string) =>
  Array.from({ length: count }, (_, index) => ({
    kind,
    source: `urn:s:${kind}:${index}`,
    target: `urn:t:${kind}:${index}`,
    name: `${kind} ${index}`,
    origin,
  }));

test("pairs: counts by kind and origin, twenty rows a kind, and how many more", () => {
  const mappings = [...pairs("terms", 5_000, "created"), ...pairs("rules", 20, "explicit")];
  expect(briefMappings({ mappings }, false)).toMatchObject({
    pairs: [
      { kind: "terms", all: "5,000", created: "5,000", explicit: "0" },
      { kind: "rules", all: "20", created: "0", explicit: "20" },
    ],
    rules: expect.toSatisfy((rows: readonly string[]) => rows.length === 20),
    terms: expect.toSatisfy(
      (rows: readonly string[]) =>
        rows.length === 21 &&
        rows[0] === '"terms 0" (created): urn:s:terms:0 -> urn:t:terms:0' &&
        rows[20] === "… and 4,980 more; --all shows them",
    ),
  });
  expect(briefMappings({ mappings }, true)).toMatchObject({
    terms: expect.toSatisfy((rows: readonly string[]) => rows.length === 5_000),
  });
  expect(briefMappings({ mappings: [] }, false)).toEqual({});
});

test("status: counts by kind and state, twenty rows of what is left, and how many more", () => {
  const inDoubt = Array.from({ length: 22 }, (_, index) => `terms "${index}"`);
  const unfinished = pairs("dashboards", 5_000, "").map(({ origin: _origin, ...row }) => ({
    ...row,
    left: "publish",
  }));
  const counts = { dashboards: { mapped: 6_000, unfinished: 5_000, inDoubt: 0 } };
  const details = {
    counts,
    mapped: { dashboards: 6_000 },
    inDoubt,
    tables: [],
    unfinished,
    interrupted: [],
    runs: [],
  };
  expect(briefStatus(details, false)).toEqual({
    objects: [{ kind: "dashboards", mapped: "6,000", unfinished: "5,000", "in doubt": "0" }],
    "in doubt": [...inDoubt.slice(0, 20), "… and 2 more; --all shows them"],
    unfinished: expect.toSatisfy(
      (rows: readonly string[]) =>
        rows.length === 21 &&
        rows[0] === 'dashboards "dashboards 0" (urn:t:dashboards:0): publish is to be done',
    ),
    "to be continued": [],
    runs: [],
  });
  expect(briefStatus(details, true)).toMatchObject({ "in doubt": inDoubt });
});

test("doubts: what a person must decide, and the rest in one line", () => {
  const one = (name: string, settlesItself: boolean): DoubtDetails["inDoubt"][number] => ({
    what: `terms "${name}": create`,
    settlesItself,
    source: `urn:${name}`,
    candidates: [{ urn: "urn:t", name: "Twin", sameContent: true }],
  });
  expect(briefDoubts({ inDoubt: [one("a", true), one("b", false), one("c", true)] })).toEqual({
    "to be decided": [{ what: 'terms "b": create', "may be": ['"Twin" (urn:t), the same content'] }],
    "the next apply settles": "2 operations, nobody has to decide",
  });
  expect(briefDoubts({ inDoubt: [one("a", true)] })).toMatchObject({
    "the next apply settles": "1 operation, nobody has to decide",
  });
});
