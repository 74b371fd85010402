import { expect, test } from "vitest";
import { withoutBorn } from "../../../src/engine/undo/born.ts";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import type { Planned, Reverse } from "../../../src/engine/undo/plan.ts";
import { describeDeed } from "../../../src/engine/undo/words.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import type { JsonObject } from "../../../src/model/json.ts";

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const column = (digit: number): string => `urn:data:prod:catalog:attribute:${id(digit)}`;
const elsewhere = `urn:data:prod:catalog:table:${id(9)}`;

const items = { name: "items", mode: "entity", births: { kinds: ["columns"] } } as unknown as MovedKind;
const overlays = { ...items, name: "over", mode: "overlay" } as unknown as MovedKind;
const rules = { name: "rules", mode: "entity" } as unknown as MovedKind;

function planned(name: string, kind: MovedKind, reverse?: Reverse): Planned {
  const deed = { kind: kind.name, source: name, name, target: name } as unknown as Deed;
  const change = describeDeed(deed, "update", "the run did it");
  return { deed, kind, change, ...(reverse === undefined ? {} : { reverse }) };
}

const create = (body: JsonObject): Reverse => ({ what: "create", steps: [], body });
const patch = (body: JsonObject): Reverse => ({ what: "patch", steps: [], target: "t", patch: body });
const comesBack = planned("item", items, create({}));

/** Of each its action and what is told of it; the columns 1 and 2 are gone, 3 is there. */
async function told(all: readonly Planned[]) {
  const asked: string[] = [];
  const given = (name: string, there: readonly string[]): object => ({
    name,
    read: async (_client: unknown, wanted: ReadonlySet<string>) => {
      asked.push(...wanted);
      return there.filter((urn) => wanted.has(urn)).map((urn) => ({ urn }));
    },
  });
  const kinds = new Map([
    ["catalog:attribute", given("columns", [column(3)])],
    ["catalog:table", given("tables", [])],
  ]);
  const registry = { givenOf: (type: string) => kinds.get(type) } as never;
  const found = await withoutBorn(all, registry, {} as never);
  const texts = found.map(({ change, reverse }) =>
    [change.action, reverse?.what ?? "nothing", ...change.diagnostics.map(({ summary }) => summary)].join(
      ": ",
    ),
  );
  return { texts, asked };
}

test("what led to columns that went with an item that the run deleted cannot come back, and the item comes bare", async () => {
  const { texts, asked } = await told([
    comesBack,
    planned("one", rules, create({ ref: column(1), also: column(3) })),
    planned("two", rules, patch({ refs: [column(1), column(2)] })),
    planned("three", rules, patch({ ref: column(3) })),
    planned("four", rules, patch({ ref: elsewhere, note: "x" })),
  ]);
  expect(texts).toEqual([
    expect.stringMatching(/^update: create: it comes back with columns of its own/),
    expect.stringMatching(/^manual: nothing: it leads to a column of an SQL item/),
    expect.stringMatching(/^manual: nothing: it leads to 2 columns of an SQL item/),
    "update: patch",
    "update: patch",
  ]);
  // Of what is not born with it nobody asks.
  expect(asked.toSorted()).toEqual([column(1), column(2), column(3)]);
});

test("where none comes back nobody asks, and all stays as it is planned", async () => {
  const leads = planned("one", rules, patch({ ref: column(1) }));
  for (const other of [
    planned("item", items, { what: "delete", steps: [] }),
    planned("item", items, patch({})),
    planned("item", items),
    planned("over", overlays, create({})),
    planned("rule", rules, create({})),
  ]) {
    const { texts, asked } = await told([other, leads]);
    expect([texts[0]?.startsWith("update"), texts[0]?.includes("columns"), texts[1], asked]).toEqual([
      true,
      false,
      "update: patch",
      [],
    ]);
  }
});
