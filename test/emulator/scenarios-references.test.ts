import { describe, expect, it } from "vitest";
import { isArray, isObject, type Json, list } from "../../src/emulator/json.ts";
import { prepareDemo } from "../../src/emulator/scenarios/demo/index.ts";
import { prepareEmpty } from "../../src/emulator/scenarios/empty.ts";
import { prepareLarge } from "../../src/emulator/scenarios/large.ts";
import { Tenant } from "../../src/emulator/tenant.ts";
import { isUrn, parseUrn } from "../../src/model/urn.ts";

type Fill = (source: Tenant, target: Tenant) => void;

const fills: Readonly<Record<string, Fill>> = {
  demo: prepareDemo,
  empty: prepareEmpty,
  "large:300": (source, target) => prepareLarge(source, target, 300),
};

function built(fill: Fill): { source: Tenant; target: Tenant } {
  const [source, target] = ["dev", "prod"].map((name) => new Tenant({ name, seed: 7, clock: () => 0 }));
  if (source === undefined || target === undefined) throw new Error("no tenants");
  fill(source, target);
  return { source, target };
}

/** What carries a URN of its own, and what names the URN of something else. */
function urnsOf(value: Json, own: Set<string>, named: Set<string>, field = ""): void {
  if (isArray(value)) for (const entry of value) urnsOf(entry, own, named, field);
  else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) {
      if (isUrn(key)) named.add(key);
      urnsOf(entry, own, named, key);
    }
  } else if (isUrn(value)) (field === "urn" || field === "ruleInstanceUrn" ? own : named).add(value);
}

function uuidsOf(tenant: Tenant): Set<string> {
  const text = JSON.stringify(tenant.dump());
  return new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g));
}

describe.each(Object.entries(fills))("%s", (_name, fill) => {
  const { source, target } = built(fill);

  it.each([source, target])("resolves every reference inside its tenant", (tenant) => {
    const own = new Set<string>();
    const named = new Set<string>();
    urnsOf(tenant.dump(), own, named);
    expect([...named].filter((urn) => !own.has(urn))).toEqual([]);
    expect([...own].filter((urn) => parseUrn(urn)?.tenant !== tenant.name)).toEqual([]);
  });

  it("shares no UUID between the tenants", () => {
    const inTarget = uuidsOf(target);
    expect(inTarget.size).toBeGreaterThan(100);
    expect([...uuidsOf(source)].filter((uuid) => inTarget.has(uuid))).toEqual([]);
  });

  it("is the same when it is built again", () => {
    const again = built(fill);
    expect(again.source.dump()).toEqual(source.dump());
    expect(again.target.dump()).toEqual(target.dump());
  });
});

describe("references between terms of the demo", () => {
  const { source } = built(prepareDemo);
  const graph = new Map<string, string[]>(
    [...source.terms.values()].map(({ urn, published }) => {
      const { partOf } = published?.extraProperties ?? {};
      const related = list(published?.extraProperties, "relatedTerms").map(String);
      return [urn, [...related, ...(typeof partOf === "string" ? [partOf] : [])]];
    }),
  );
  const urnOf = new Map(
    [...source.terms.values()].map(({ urn, published }) => [published?.name, urn as string]),
  );

  function reach(name: string): Set<string> {
    const found = new Set<string>();
    const open = [urnOf.get(name) ?? ""];
    for (let urn = open.pop(); urn !== undefined; urn = open.pop()) {
      for (const next of graph.get(urn) ?? []) if (!found.has(next)) open.push(next);
      for (const next of graph.get(urn) ?? []) found.add(next);
    }
    return found;
  }

  it.each([
    ["Customer", "Account"],
    ["Order", "Promotion"],
    ["Product", "Product category"],
  ])("%s and %s stand in a cycle", (left, right) => {
    expect(reach(left)).toContain(urnOf.get(right));
    expect(reach(right)).toContain(urnOf.get(left));
  });

  it("keeps the cycles of products and orders apart", () => {
    expect(reach("Product")).not.toContain(urnOf.get("Order"));
  });

  it("has a chain that nothing else refers to, and that refers to nothing else", () => {
    const chain = ["Address", "Postal code", "Delivery area", "Depot"].map((name) => urnOf.get(name) ?? "");
    expect(chain.map((urn) => graph.get(urn))).toEqual([[chain[1]], [chain[2]], [chain[3]], []]);
    const others = [...graph].filter(([urn]) => !chain.includes(urn)).flatMap(([, to]) => to);
    expect(others.filter((urn) => chain.includes(urn))).toEqual([]);
  });
});
