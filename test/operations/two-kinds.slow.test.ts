import { expect, test } from "vitest";
import type { Tenant } from "../../src/emulator/index.ts";
import type { OverlayKind } from "../../src/kinds/kind.ts";
import { registry } from "../../src/kinds/index.ts";
import { Registry } from "../../src/kinds/registry.ts";
import { itemsOf } from "../../src/kinds/shared/found.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { text } from "../../src/model/json.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { showMapping } from "../../src/operations/mappings.ts";
import { readState } from "../../src/operations/state.ts";
import type { Migration } from "../../src/operations/migration.ts";
import type { Result } from "../../src/model/result.ts";
import type { World } from "../support/world.ts";
import { onDemo } from "./on-demo.ts";
import { outline, refusal, writes } from "./support.ts";

/** A second kind over the attributes that assignments lie over: the identity of an object is its kind and its id. */
function noteOf(attribute: JsonObject): JsonObject {
  const description = attribute["description"];
  return {
    attributeUrn: text(attribute, "urn") ?? "",
    ...(description === undefined || description === null ? {} : { description }),
  };
}

const notes: OverlayKind = {
  name: "attribute-notes",
  selectedAs: "attribute-notes",
  mode: "overlay",
  urnTypes: [],
  shape: { known: ["attributeUrn", "description"], serverOwned: [], fixed: ["attributeUrn"] },
  feed: { name: "attributes", pages: (client) => itemsOf(client.catalog.attributes({})) },
  accept(attribute) {
    const body = noteOf(attribute);
    if (body["description"] === undefined) return undefined;
    return { urn: text(attribute, "urn") ?? "", name: text(attribute, "name") ?? "", body };
  },
  refersTo: [],
  over: { kinds: ["attributes"], urn: (body) => text(body, "attributeUrn") },
  locate: (given) => given.urn,
  fetch: async (_client, given) => noteOf(given.body),
  called: (given) => given.name,
  update: [
    {
      name: "describe",
      effect: "changes",
      atMost: 1,
      atomic: true,
      settle: "by-reading",
      async send(client, items) {
        for (const item of items) await client.catalog.patchAttribute(item.target ?? "", item.body);
        return items.map((item) => ({ state: "done", target: item.target ?? "" }));
      },
      async readBack(client, item) {
        const attribute = await client.catalog.attribute(item.target ?? "");
        return attribute === undefined ? undefined : noteOf(attribute);
      },
    },
  ],
};
const both = new Registry([...registry.given(), ...registry.moved(), notes]);
const plan = { select: { kinds: ["terms", "term-assignments", "attribute-notes"] } };

let demo: World;
let source: Tenant;
let target: Tenant;
onDemo((at) => ({ demo, source, target } = at));

const migration = (): Migration => demo.migration(plan, { registry: both });
const apply = async (): Promise<Result> => applyPlan(migration(), { confirm: async () => true });

function attribute(tenant: Tenant, name: string): { urn: string; description?: Json; terms: number } {
  const found = [...tenant.attributes.values()].find((one) => one.name === name);
  if (found === undefined) throw new Error(`no attribute ${name}`);
  const { urn, description, termAssignments } = found;
  return { urn, ...(description === undefined ? {} : { description }), terms: termAssignments.length };
}

function describeAt(tenant: Tenant, name: string, description: string): void {
  for (const one of tenant.attributes.values()) if (one.name === name) Object.assign(one, { description });
}

test("two kinds over one thing are two objects: both arrive, both rest, and each drifts for itself", async () => {
  describeAt(source, "SKU", "What the shop calls it");
  const first = await apply();
  expect(attribute(target, "SKU")).toMatchObject({ description: "What the shop calls it", terms: 1 });
  expect(outline(first.changes)).toContain("update attribute-notes SKU");
  expect(outline(first.changes)).toContain("update term-assignments SKU");

  const { mapping } = await readState(migration());
  const { urn } = attribute(source, "SKU");
  expect(
    mapping
      .all(urn)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(["attribute-notes", "term-assignments"]);
  demo.emulator.log.clear();
  const second = await apply();
  expect(writes(demo.emulator, "prod")).toEqual([]);
  expect(outline(second.changes).filter((line) => line.endsWith("SKU"))).toEqual([]);

  describeAt(target, "SKU", "A colleague knows better");
  const third = await diffPlan(migration());
  expect(outline(third.changes).filter((line) => line.endsWith("SKU"))).toEqual([
    "drift attribute-notes SKU",
  ]);
});

test("a URN that means two rows is asked about, and kind:URN says which", async () => {
  describeAt(source, "SKU", "What the shop calls it");
  await apply();
  const { urn } = attribute(source, "SKU");
  const error = await refusal(showMapping(migration(), urn));
  expect(error.message).toMatch(/is mapped as several things: .*term-assignments/);
  const shown = await showMapping(migration(), `attribute-notes:${urn}`);
  expect(shown.details).toMatchObject({ kind: "attribute-notes", source: urn });
});
