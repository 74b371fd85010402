import { expect, test } from "vitest";
import { notThere, notThereDiagnostics } from "../../../src/engine/pair/not-there.ts";
import { Registry } from "../../../src/kinds/registry.ts";
import { FoundTable } from "../../../src/model/packed/found-table.ts";
import { found, named } from "../read/given.ts";

const source = (number: number): string =>
  `urn:data:prod:area:sources:00000000-0000-4000-8000-00000000000${number}`;

/** What is told of `{ Dev: written }` where the target has sources of these names, of which some are twins or of another type. */
function told(
  names: readonly string[],
  more: {
    readonly written?: string;
    readonly others?: Readonly<Record<string, string>>;
    readonly twins?: readonly number[];
    readonly isUnlisted?: boolean;
    readonly isOfAnotherKind?: boolean;
  } = {},
): ReturnType<typeof notThere> {
  const { written = "Warehouse", others = {}, twins = [], isUnlisted, isOfAnotherKind } = more;
  const records = new FoundTable();
  for (const [index, name] of names.entries()) records.set(found(source(index), name));
  return notThere(
    { sources: { ...others, Dev: written }, connections: {} },
    {
      records,
      twins: new Map(twins.map((number) => [`urn:data:dev:area:sources:${number}`, source(number)])),
      unlisted: new Map(
        isUnlisted === true
          ? [["sources", { kind: "", reason: "", suggestion: "", cause: { key: "", summary: "" } }]]
          : [],
      ),
    },
    new Registry([named(isOfAnotherKind === true ? "connections" : "sources", [])]),
  );
}

const missing = { section: "sources", source: "Dev", written: "Warehouse" };

test.each([
  ["it is there", ["Warehouse", "Lake"], {}, []],
  ["it is not there", ["Lake"], {}, [{ ...missing, nearest: undefined }]],
  ["one is like it", ["Lake", "Warehouses"], {}, [{ ...missing, nearest: "Warehouses" }]],
  [
    "what is like it is the twin of another one",
    ["Lake", "Warehouses"],
    { twins: [1] },
    [{ ...missing, nearest: undefined }],
  ],
  [
    "the plan gives what is like it to another one",
    ["Lake", "Warehouses"],
    { others: { Other: "Warehouses" } },
    [{ ...missing, nearest: undefined }],
  ],
  ["none of them was read", [], {}, []],
  ["their list was refused", ["Lake"], { isUnlisted: true }, []],
  ["what was read is of another kind", ["Lake"], { isOfAnotherKind: true }, []],
] as const)("where %s", (_where, names, more, expected) => {
  expect(told(names, more)).toEqual(expected);
});

test("the line to correct is named where one is like it", () => {
  const [near, none] = [told(["Warehouses"]), told(["Lake"])].map(
    (all) => notThereDiagnostics(all, "prod")[0],
  );
  expect(near).toMatchObject({
    summary: 'pairing.sources: "Warehouse" is not there at prod; nearest: "Warehouses"',
    suggestion: expect.stringContaining('correct `"Dev": "Warehouses"`'),
  });
  expect(none).toMatchObject({
    summary: 'pairing.sources: "Warehouse" is not there at prod',
    suggestion: 'Correct or remove the entry of "Dev" under pairing.sources.',
  });
});
